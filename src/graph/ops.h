/* The operations. Each has its shape rule and forward step, its vector-Jacobian product, its
 * explanation and its spelling, side by side in one of the files op_*.c.
 *
 * A new operation is a kind in builder.h and a row, with its functions, in the same place of one of
 * those tables.
 *
 * Gradients are made of the same operations, so a gradient is a node like any other: it can be
 * asked `why`, and differentiated again. */
#ifndef ATTN_GRAPH_OPS_H
#define ATTN_GRAPH_OPS_H

#include "graph/builder.h"
#include "graph/explain.h"
#include "graph/graph.h"

struct tensor;

/* How tightly an operation's spelling binds, as in the language's grammar. */
enum binding {
    BIND_COMPARE = 1, /* loosest: X < Y & Z is X < (Y & Z), as in Python */
    BIND_OR,
    BIND_AND,
    BIND_SUM,
    BIND_PRODUCT,
    BIND_SIGN,
    BIND_POWER,
    BIND_TIGHT, /* names, calls, indices */
};

struct op {
    enum op_kind kind;
    const char *name; /* as PyTorch names it */
    const char *form; /* spelling with %0, %1, ... for the parents; NULL: write says it */
    enum binding binding;
    int code;       /* which function of the family: enum unary, binary or reduction */
    bool is_move;   /* only moves numbers: source says from which cell */
    unsigned n_ids; /* ids set aside for nodes that it makes on request, and keeps; else 0 */

    /* Computes *ret from node's parents and args. */
    bool (*forward)(const struct node *node, const volatile sig_atomic_t *stop, struct tensor *ret,
                    struct error *reterr);
    /* Names the axes of a node whose value is computed. NULL: no labels. */
    bool (*relabel)(struct node *node, struct error *reterr);
    /* The gradient with respect to parent `which`, given the gradient d of node. It may still be
     * broadcast; graph_grad() sums it to that parent's shape. NULL in the table: no gradient flows.
     */
    struct node *(*vjp)(struct builder *builder, struct node *node, struct node *d, unsigned which);
    /* Adds the arithmetic of one cell. For a move: NULL. */
    void (*explain)(const struct node *node, const size_t *index, struct explanation *explanation);
    /* For a move: the cell the number came from; its node is NULL when the number is a plain 0. */
    struct cell (*source)(const struct node *node, const size_t *index);
    /* For an operation that is several stages at once: the last stage before node, as a window
     * (window_internal.h) on the first row, owned by node; NULL without memory. Else NULL in the
     * table. */
    struct node *(*stages)(const struct node *node);
    /* Writes the spelling if form is NULL; passes depth on to formula_parent(). */
    void (*write)(const struct node *node, struct text *text, int depth);
};

/* Writes the formula of parent `which`, in brackets if the spelling of node needs them. */
void formula_parent(const struct node *node, unsigned which, struct text *text, int depth);
/* The same without brackets, as in the arguments of a call. */
void formula_argument(const struct node *node, unsigned which, struct text *text, int depth);

/* The row of an operation, which each kind has. */
const struct op *op_get(enum op_kind kind);

#endif
