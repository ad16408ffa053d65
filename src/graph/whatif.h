/* What would change downstream if a tensor had other numbers. */
#ifndef ATTN_GRAPH_WHATIF_H
#define ATTN_GRAPH_WHATIF_H

#include "graph/graph.h"

/* Recomputes each root with `from` replaced by `to` (of the same shape), in new nodes; existing
 * nodes don't change. ret[i] is roots[i] itself if it does not depend on `from`; each has one owner
 * more. On failure nothing is in ret. */
bool whatif_recompute(struct graph *graph, struct node *const *roots, size_t n_roots,
                      struct node *from, struct node *to, struct node **ret, struct error *reterr);

/* node with the number at position replaced: the `to` for one edited cell. It keeps the name. */
struct node *whatif_edit(struct graph *graph, struct node *node, size_t position, float number,
                         struct error *reterr);

#endif
