/* Which numbers a mask hides, as the graph remembers it. */
#ifndef ATTN_GRAPH_HIDDEN_H
#define ATTN_GRAPH_HIDDEN_H

#include "graph/graph.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

/* True where a number is -inf, or is a weight of 0 because its score was -inf; also where such a
 * weight was moved (transposed, taken, reshaped) since. A weight that is 0 for another reason, even
 * one that was set by hand, is not hidden. */
bool cell_is_hidden(struct cell cell);

/* Booleans of the node's shape: true where cell_is_hidden(). *ret_any: there is one; else *ret has
 * no data. The caller releases *ret. */
bool node_hidden(struct node *node, struct tensor *ret, bool *ret_any, struct error *reterr);

/* A node as a table or bars show it. */
struct node_picture {
    struct picture picture; /* borrows from the node, from the title, and from the next */
    struct tensor hidden;
};
/* What a mask hides is looked for in up to 2^20 numbers. title may be NULL. *ret must stay where it
 * is until node_picture_release(). */
bool node_picture_init(struct node_picture *ret, struct node *node, const char *title,
                       struct error *reterr);
void node_picture_release(struct node_picture *picture);

/* Adds the node's numbers as a table. marks_hidden: a weight that a mask hides is a dot, which a
 * line below the table explains; else it is a 0 like any other. ERR_MEMORY. */
bool node_show(struct node *node, bool marks_hidden, const struct show_options *options,
               struct doc *out, struct error *reterr);

#endif
