/* Which numbers a mask hides, as the graph remembers it. */
#ifndef ATTN_GRAPH_HIDDEN_H
#define ATTN_GRAPH_HIDDEN_H

#include "graph/graph.h"

struct tensor;

/* True where a number is -inf, or is a weight of 0 because its score was -inf; also where such a
 * weight was moved (transposed, taken, reshaped) since. A weight that is 0 for another reason, even
 * one that was set by hand, is not hidden. */
bool cell_is_hidden(struct cell cell);

/* Booleans of the node's shape: true where cell_is_hidden(). *ret_any: there is one; else *ret has
 * no data. The caller releases *ret. */
bool node_hidden(struct node *node, struct tensor *ret, bool *ret_any, struct error *reterr);

#endif
