/* Shared by the families of operations, op_*.c. Each family ends with a table of its operations,
 * whose functions come before it in the same file; ops.c joins the tables. */
#ifndef ATTN_GRAPH_OPS_INTERNAL_H
#define ATTN_GRAPH_OPS_INTERNAL_H

#include <assert.h>

#include "base/array.h"
#include "graph/node.h"
#include "graph/ops.h"

/* The types of the functions in struct op, so that a definition is static FORWARD(forward_exp) {}.
 */
#define FORWARD(name)                                                                         \
    bool name(const struct node *node, const volatile sig_atomic_t *stop, struct tensor *ret, \
              struct error *reterr)
#define RELABEL(name) bool name(struct node *node, struct error *reterr)
#define VJP(name) \
    struct node *name(struct builder *builder, struct node *node, struct node *d, unsigned which)
#define EXPLAIN(name) \
    void name(const struct node *node, const size_t *index, struct explanation *explanation)
#define SOURCE(name) struct cell name(const struct node *node, const size_t *index)
#define WRITE(name) void name(const struct node *node, struct text *text, int depth)

/* ---- the tables ---- */

struct op_table {
    const struct op *rows;
    enum op_kind first, last;
};
extern const struct op_table op_leaves, op_elementwise, op_products, op_reductions, op_softmaxes,
    op_losses, op_activations, op_norms, op_moves, op_slices, op_takes, op_picks, op_attentions;

/* A family's table: its rows, one for each kind from first_ to last_, in the order of the enum. */
#define OP_TABLE(name_, first_, last_)                                                      \
    static_assert(COUNT_OF(rows) == (last_) - (first_) + 1, "a row for each of the kinds"); \
    const struct op_table name_ = {rows, first_, last_}

/* A row of a table for an operation that only moves numbers; its functions end in step_. */
#define MOVE_OP(kind_, name_, step_, relabel_)                                     \
    {                                                                              \
        .kind = OP_##kind_, .name = name_, .binding = BIND_TIGHT, .is_move = true, \
        .forward = forward_##step_, .relabel = relabel_, .vjp = vjp_##step_,       \
        .source = source_##step_, .write = write_##step_                           \
    }

/* ---- labels: op_label.c ---- */

/* Names axis `to` of node as axis `from` of parent, if the lengths agree. */
void label_axis(struct node *node, unsigned to, const struct node *parent, unsigned from);
RELABEL(relabel_first);     /* as parent 0, which has the same shape */
RELABEL(relabel_broadcast); /* each axis as the first parent that names it */

/* ---- adding to an explanation: explain.c ---- */

/* The cell of parent 0 at an index. */
struct cell parent_cell(const struct node *node, const size_t *index);
/* The cell of parent `which` that a broadcast operation reads for its own cell `index`. */
struct cell broadcast_cell(const struct node *node, unsigned which, const size_t *index);
/* Writes a cell as a term of a formula; remembers it. */
void explain_term(struct explanation *explanation, struct text *line, struct cell cell);
/* Writes the number in a cell as a term: True, 0.5; negative ones in brackets unless they come
 * first. */
void explain_value(const struct explanation *explanation, struct text *line, struct cell cell);
/* One line of an explanation. */
void explain_line(struct explanation *explanation, const struct text *line);
void explain_format(struct explanation *explanation, const char *format, ...) ERROR_FORMAT(2, 3);

/* A sum of n terms, each a cell or a product of two cells, elided in the middle when long. */
struct sum {
    size_t n_terms;
    bool products;
    bool skip_zeros; /* a product whose first factor is 0 is 0, even 0 * NaN */
    /* the cells of term i; the second is only used for products */
    void (*term)(const void *context, size_t i, struct cell ret_cells[2]);
    const void *context;
    const char *ending; /* written after the sum, such as " / 3"; or NULL */
};
void explain_sum(struct explanation *explanation, const struct sum *sum);

#endif
