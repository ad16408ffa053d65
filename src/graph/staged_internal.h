/* Shared code of operations that compute several stages at once and keep none of them. Such an
 * operation has ids set aside (ops.h) for the stages that it makes, and keeps, when a cell is asked
 * for. */
#ifndef ATTN_GRAPH_STAGED_INTERNAL_H
#define ATTN_GRAPH_STAGED_INTERNAL_H

#include "graph/ops_internal.h"

enum {
    STAGED_MOST_PARENTS = 9,
    STAGED_MOST_SHOWN = 1 << 22, /* a stage of up to this many numbers is made whole to be shown */
};

/* Builds, from node's parents, the answer to a question about it; returns a node of the builder. */
typedef struct node *staged_build(struct builder *builder, const struct node *node,
                                  size_t question);
/* The answer to a question, built now or kept from before; owned by node. NULL without memory, or
 * once the graph's stop is set. */
struct node *staged_answer(const struct node *node, size_t question, staged_build *build);

/* The row of x at the first n_lead numbers of index, as a view: those axes are dropped. */
struct node *staged_row(struct builder *builder, struct node *x, unsigned n_lead,
                        const size_t *index);

/* Explains the cell of node at index by the cells that cell `position` of an answer was made
 * from. */
void staged_explain(const struct node *node, const size_t *index, const struct node *answer,
                    size_t position, struct explanation *explanation);
/* The same by one line that leads to that cell. */
void staged_lead_to(const struct node *node, struct node *answer, size_t position,
                    struct explanation *explanation);

/* Makes nodes that stand for the parents, so that a backward pass ends at them: one for each
 * parent, even if two parents are the same node or one was made from another. */
bool staged_stand_in(struct builder *builder, const struct node *node,
                     struct node *ret[STAGED_MOST_PARENTS]);
/* The gradients of sum(node * d) for n of the nodes that it was made from; node or d may be
 * NULL. */
bool staged_gradients(struct builder *builder, struct node *node, struct node *d,
                      struct node *const *wrt, unsigned n, struct node **ret);

/* The operation `kind` on node's parents, on node itself if it has saved something, and on d, with
 * node's args: the gradients of all parents at once. Made for the first parent that asks, and found
 * again for the others. */
struct node *staged_back_of(struct builder *builder, struct node *node, enum op_kind kind,
                            struct node *d);

#endif
