/* What the families of operations offer to the table in ops.c. Internal to this floor. */
#ifndef ATTN_GRAPH_OP_FUNCTIONS_H
#define ATTN_GRAPH_OP_FUNCTIONS_H

#include "graph/ops.h"

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

/* op_label.c */
RELABEL(relabel_first);     /* as parent 0, which has the same shape */
RELABEL(relabel_broadcast); /* each axis as the first parent that names it */
RELABEL(relabel_matmul);
RELABEL(relabel_reduce);
RELABEL(relabel_permute);
RELABEL(relabel_reshape);
RELABEL(relabel_slice);
RELABEL(relabel_cat);
RELABEL(relabel_take);

/* op_elementwise.c */
FORWARD(forward_unary);
FORWARD(forward_binary);
FORWARD(forward_where);
FORWARD(forward_masked_fill);
FORWARD(forward_hide);
FORWARD(forward_add_mask);
FORWARD(forward_to_bool);
FORWARD(forward_to_float);
FORWARD(forward_detach);
VJP(vjp_neg);
VJP(vjp_exp);
VJP(vjp_log);
VJP(vjp_sqrt);
VJP(vjp_tanh);
VJP(vjp_relu);
VJP(vjp_abs);
VJP(vjp_erf);
VJP(vjp_sin);
VJP(vjp_cos);
VJP(vjp_add);
VJP(vjp_sub);
VJP(vjp_mul);
VJP(vjp_div);
VJP(vjp_pow);
VJP(vjp_extreme);
VJP(vjp_where);
VJP(vjp_masked_fill);
VJP(vjp_hide);
VJP(vjp_add_mask);
EXPLAIN(explain_form); /* the spelling with cells, then with numbers */
EXPLAIN(explain_where);
EXPLAIN(explain_masked_fill);
EXPLAIN(explain_hide);

/* op_product.c */
FORWARD(forward_matmul);
FORWARD(forward_weighted_sum);
VJP(vjp_matmul);
EXPLAIN(explain_matmul);

/* op_reduce.c */
FORWARD(forward_reduce);
FORWARD(forward_sum_to);
VJP(vjp_sum);
VJP(vjp_mean);
VJP(vjp_var);
VJP(vjp_std);
VJP(vjp_max);
VJP(vjp_sum_to);
EXPLAIN(explain_reduce);
EXPLAIN(explain_sum_to);
WRITE(write_reduce);
WRITE(write_sum_to);

/* op_softmax.c */
FORWARD(forward_softmax);
FORWARD(forward_weights);
FORWARD(forward_log_softmax);
VJP(vjp_softmax);
VJP(vjp_weights);
VJP(vjp_log_softmax);
EXPLAIN(explain_softmax);
WRITE(write_softmax);

/* op_move.c */
FORWARD(forward_reshape);
FORWARD(forward_permute);
FORWARD(forward_expand);
FORWARD(forward_slice);
FORWARD(forward_unslice);
FORWARD(forward_cat);
FORWARD(forward_take);
FORWARD(forward_untake);
FORWARD(forward_triangle);
FORWARD(forward_edit);
VJP(vjp_reshape);
VJP(vjp_permute);
VJP(vjp_expand);
VJP(vjp_slice);
VJP(vjp_unslice);
VJP(vjp_cat);
VJP(vjp_take);
VJP(vjp_untake);
VJP(vjp_triangle);
VJP(vjp_edit);
EXPLAIN(explain_untake);
EXPLAIN(explain_edit);
SOURCE(source_same);
SOURCE(source_reshape);
SOURCE(source_permute);
SOURCE(source_expand);
SOURCE(source_slice);
SOURCE(source_unslice);
SOURCE(source_cat);
SOURCE(source_take);
SOURCE(source_triangle);
WRITE(write_reshape);
WRITE(write_permute);
WRITE(write_expand);
WRITE(write_slice);
WRITE(write_unslice);
WRITE(write_cat);
WRITE(write_triangle);
WRITE(write_edit);

/* leaves: op_leaf.c */
EXPLAIN(explain_constant);
EXPLAIN(explain_input);
WRITE(write_constant);
WRITE(write_input);

/* Shared helpers, explain.c: adding to an explanation. */

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
    /* the cells of term i; the second is looked at for products only */
    void (*term)(const void *context, size_t i, struct cell ret_cells[2]);
    const void *context;
    const char *ending; /* written behind the sum, such as " / 3"; or NULL */
};
void explain_sum(struct explanation *explanation, const struct sum *sum);

#endif
