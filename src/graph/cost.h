/* The cost of a computation: operations are counted only here, for the language, the explorer and
 * the roofline. */
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

/* The cost of a named stage, computed from the named stages that it was made from: the nodes
 * between them have no name. Seeing numbers in another order costs nothing. False if there are more
 * than COST_MOST_NODES nodes between them. */
enum { COST_MOST_NODES = 256 };
bool stage_cost(const struct node *node, struct cost *ret);
/* The cost of the node and of all nodes that it was made from whose ids are at least first_id.
 * Errors as node_set_init(). */
bool formula_cost(struct node *node, uint64_t first_id, struct cost *ret, struct error *reterr);

#endif
