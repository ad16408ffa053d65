/* Formulas made of several operations of the graph, each step open to `why` and `trace`.
 *
 * All of them build with a builder (graph/builder.h) and return a node it owns, or NULL. */
#ifndef ATTN_LANG_VALUE_COMPOSE_H
#define ATTN_LANG_VALUE_COMPOSE_H

#include "graph/builder.h"

/* Row i of the first axis, which is dropped. */
struct node *compose_row(struct builder *builder, struct node *x, size_t i);
/* x again as a node of its own, so that it can be given other labels. */
struct node *compose_same(struct builder *builder, struct node *x);

#endif
