/* Lists as tensors.
 *
 * A literal is a number or a table as it was typed: nothing a learner would ask `why` about. A list
 * of literals becomes one tensor that was typed; of other tensors it is stacked, so that gradients
 * flow through it. */
#ifndef ATTN_LANG_VALUE_LITERAL_H
#define ATTN_LANG_VALUE_LITERAL_H

#include "lang/value/value.h"

struct graph;

/* Whether all of items[0..n) are literals, and there is at least one. */
bool literal_all(const struct value *items, size_t n);
/* One tensor with the numbers of items[0..n), which are literals; text[0..text_size) tells how they
 * were typed. ERR_SHAPE where their shapes differ. The caller frees the node. */
struct node *literal_join(struct graph *graph, const char *text, size_t text_size,
                          const struct value *items, size_t n, struct error *reterr);

/* Whether items[0..n), which are tensors, have one shape. */
bool value_same_shapes(const struct value *items, size_t n);
/* A value as a tensor: a node itself, or a list of numbers or equal shapes stacked along a new
 * first axis. ERR_TYPE, naming `what`, for other values. The caller frees the node. */
struct node *value_to_node(struct graph *graph, const struct value *value, const char *what,
                           struct error *reterr);
/* The same for a list, stacked even where all its items are literals. */
struct node *value_stack(struct graph *graph, const struct list *list, const char *what,
                         struct error *reterr);

#endif
