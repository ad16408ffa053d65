/* What computing costs: the one place where operations are counted, for the language, the explorer
 * and the roofline. */
#ifndef ATTN_GRAPH_COST_H
#define ATTN_GRAPH_COST_H

#include "graph/graph.h"

struct cost {
    double products; /* multiplications in products of matrices, each with its addition */
    double bytes;    /* of the numbers that are made and kept */
};

/* Products of attention for one head: n_q n_k scores of d_k each, n_q contexts of d_v numbers, each
 * a sum over n_k. */
double cost_attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v);

/* What a named stage takes, computed from the named ones that it was made from: the nodes between
 * them have no name. Numbers that are only seen in another order take nothing. False where there
 * are more than COST_MOST_NODES of them. */
enum { COST_MOST_NODES = 256 };
bool stage_cost(const struct node *node, struct cost *ret);
/* What the node takes and all that it was made from, as far as their ids are at least first_id.
 * Errors as node_set_init(). */
bool formula_cost(struct node *node, uint64_t first_id, struct cost *ret, struct error *reterr);

#endif
