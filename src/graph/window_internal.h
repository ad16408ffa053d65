/* Nodes of which one row is computed: the answers to `why` of a node that keeps no stages.
 *
 * Such a node has the operation, the parents, the shape and the names of the whole tensor, but the
 * memory of one row: every row repeats it (strides of 0). Only cells of that row mean anything, and
 * the explanation of such a cell leads to no others. */
#ifndef ATTN_GRAPH_WINDOW_INTERNAL_H
#define ATTN_GRAPH_WINDOW_INTERNAL_H

#include "graph/node.h"

struct window {
    unsigned n_axes;               /* of the whole tensors; the last axis is the one along a row */
    size_t index[TENSOR_MAX_AXES]; /* of the row: along all axes but the last */
};

/* node_new() for that row, with sums in double whatever the size. Parents are whole tensors or
 * windows at the same row. Takes products, and operations that compute each number of a row from
 * the numbers in the same row of the parents. Views and single numbers stay whole. */
struct node *window_node(struct graph *graph, const struct window *window, const struct op *op,
                         unsigned n_parents, struct node *const *parents,
                         const struct op_args *args, struct error *reterr);

/* Makes *x, which holds one row (1 along the axes before the last), repeat it to a shape; no
 * number is copied. */
void window_spread(struct tensor *x, unsigned n_axes, const size_t *shape);

#endif
