/* Which numbers a mask hides, as the graph remembers it. */
#ifndef ATTN_GRAPH_HIDDEN_H
#define ATTN_GRAPH_HIDDEN_H

#include "graph/graph.h"
#include "show/matrix.h"
#include "tensor/tensor.h"

/* True for a number that is -inf, or a weight of 0 whose score was -inf, also after such a weight
 * was moved (transposed, taken, reshaped). A weight that is 0 for another reason, even one that was
 * set by hand, is not hidden. */
bool cell_is_hidden(struct cell cell);

/* Booleans of the node's shape: true where cell_is_hidden(). *ret_any: at least one is true; else
 * *ret has no data. The caller releases *ret. */
bool node_hidden(struct node *node, struct tensor *ret, bool *ret_any, struct error *reterr);

/* A node as a table or bars show it. */
struct node_picture {
    struct picture picture; /* borrows from the node, from the title, and from the next */
    struct tensor hidden;
};
/* Looks for numbers that a mask hides in up to 2^20 numbers. title may be NULL. *ret must not be
 * moved until node_picture_release(). */
bool node_picture_init(struct node_picture *ret, struct node *node, const char *title,
                       struct error *reterr);
void node_picture_release(struct node_picture *picture);

/* Adds the node's numbers as a table. With marks_hidden a weight that a mask hides is a dot, and a
 * line below the table explains it; else it is a 0 like any other. ERR_MEMORY. */
bool node_show(struct node *node, bool marks_hidden, const struct show_options *options,
               struct doc *out, struct error *reterr);

#endif
