/* Operations that compute several stages at once and keep none: what they share. Such an operation
 * has ids set aside (ops.h), for the stages that it makes when a cell is asked for, and keeps. */
#ifndef ATTN_GRAPH_STAGED_H
#define ATTN_GRAPH_STAGED_H

#include "graph/ops_internal.h"

enum {
    STAGED_MOST_PARENTS = 9,
    STAGED_MOST_SHOWN = 1 << 22, /* numbers of a stage up to which all of it is made to be shown */
};

/* Builds, of node's parents, what answers a question about it; returns a node of the builder. */
typedef struct node *staged_build(struct builder *builder, const struct node *node,
                                  size_t question);
/* The answer to a question, built now or kept from before; owned by node. NULL without memory, or
 * once the graph's stop is set. */
struct node *staged_answer(const struct node *node, size_t question, staged_build *build);

/* The row of x at the first n_lead numbers of index, as a view: those axes are dropped. */
struct node *staged_row(struct builder *builder, struct node *x, unsigned n_lead,
                        const size_t *index);

/* Explains the cell of node at index as cell `position` of an answer to it: by what the answer was
 * made from. */
void staged_explain(const struct node *node, const size_t *index, const struct node *answer,
                    size_t position, struct explanation *explanation);
/* The same by one line that leads to that cell. */
void staged_lead_to(const struct node *node, struct node *answer, size_t position,
                    struct explanation *explanation);

/* Nodes that stand for the parents, so that a way back ends at them: each parent apart, also where
 * one is two of them or was made from another. */
bool staged_stand_in(struct builder *builder, const struct node *node,
                     struct node *ret[STAGED_MOST_PARENTS]);
/* The gradients of sum(node * d) for n of the nodes that it was made from; node or d may be NULL.
 */
bool staged_gradients(struct builder *builder, struct node *node, struct node *d,
                      struct node *const *wrt, unsigned n, struct node **ret);

/* The operation `kind` on node's parents, on node itself where it has saved something, and on d,
 * with node's args: the gradients of all parents at once. Made for the first parent that asks,
 * found again for the others. */
struct node *staged_back_of(struct builder *builder, struct node *node, enum op_kind kind,
                            struct node *d);

#endif
