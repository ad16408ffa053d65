/* Operations that only move numbers to other places, or leave them where they are. */
#include "base/array.h"
#include "graph/ops_internal.h"
#include "show/number.h"

static void shape_from_ints(const struct node *node, size_t n, size_t *ret_shape)
{
    for (size_t i = 0; i < n; i++)
        ret_shape[i] = (size_t)node->args.ints[i];
}

static void write_ints(const struct node *node, struct text *text)
{
    for (size_t i = 0; i < node->args.n_ints; i++)
        text_format(text, "%s%td", i ? ", " : "", node->args.ints[i]);
}

/* ---- reshape ---- */

static FORWARD(forward_reshape)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES];
    shape_from_ints(node, node->args.n_ints, shape);
    return tensor_reshape(&node->parents[0]->value, (unsigned)node->args.n_ints, shape, ret,
                          reterr);
}

static VJP(vjp_reshape)
{
    const struct tensor *x = &node->parents[which]->value;
    return build_reshape(builder, d, x->n_axes, x->shape);
}

/* Axes that stay as they are at the left and at the right end keep their names. */
static RELABEL(relabel_reshape)
{
    (void)reterr;
    const struct node *x = node->parents[0];
    unsigned from = x->value.n_axes, to = node->value.n_axes;
    unsigned left = 0;
    while (left < from && left < to && x->value.shape[left] == node->value.shape[left]) {
        label_axis(node, left, x, left);
        left++;
    }
    while (from > left && to > left && x->value.shape[from - 1] == node->value.shape[to - 1])
        label_axis(node, --to, x, --from);
    return true;
}

static SOURCE(source_reshape)
{
    return (struct cell){node->parents[0], tensor_position_of(&node->value, index)};
}

/* One that keeps the shape gives the axes names (labels): the same numbers, so the same formula. */
static WRITE(write_reshape)
{
    formula_parent(node, 0, text, depth);
    if (tensor_same_shape(&node->value, &node->parents[0]->value))
        return;
    text_put(text, ".reshape(");
    write_ints(node, text);
    text_char(text, ')');
}

/* ---- permute ---- */

static FORWARD(forward_permute)
{
    (void)stop;
    unsigned order[TENSOR_MAX_AXES];
    for (size_t i = 0; i < node->args.n_ints; i++)
        order[i] = (unsigned)node->args.ints[i];
    return tensor_permute(&node->parents[0]->value, order, ret, reterr);
}

static VJP(vjp_permute)
{
    (void)which;
    ptrdiff_t inverse[TENSOR_MAX_AXES];
    for (size_t i = 0; i < node->args.n_ints; i++)
        inverse[node->args.ints[i]] = (ptrdiff_t)i;
    return build_ints(builder, OP_PERMUTE, d, node->args.n_ints, inverse, 0);
}

static RELABEL(relabel_permute)
{
    (void)reterr;
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        label_axis(node, axis, node->parents[0], (unsigned)node->args.ints[axis]);
    return true;
}

static SOURCE(source_permute)
{
    size_t from[TENSOR_MAX_AXES];
    for (size_t i = 0; i < node->args.n_ints; i++)
        from[node->args.ints[i]] = index[i];
    return parent_cell(node, from);
}

/* .T where all axes were reversed, .transpose(a, b) where two were exchanged, else .permute(...) */
static WRITE(write_permute)
{
    ptrdiff_t moved[TENSOR_MAX_AXES], n = (ptrdiff_t)node->args.n_ints;
    size_t n_moved = 0;
    bool reversed = n >= 2;
    for (ptrdiff_t i = 0; i < n; i++) {
        if (node->args.ints[i] != i)
            moved[n_moved++] = i;
        reversed = reversed && node->args.ints[i] == n - 1 - i;
    }
    formula_parent(node, 0, text, depth);
    if (reversed) {
        text_put(text, ".T");
    } else if (n_moved == 2) {
        bool last_two = moved[1] == n - 1 && moved[0] == n - 2;
        text_format(text, ".transpose(%td, %td)", last_two ? -2 : moved[0],
                    last_two ? -1 : moved[1]);
    } else {
        text_put(text, ".permute(");
        write_ints(node, text);
        text_char(text, ')');
    }
}

/* ---- expand ---- */

static FORWARD(forward_expand)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES];
    shape_from_ints(node, node->args.n_ints, shape);
    return tensor_broadcast(&node->parents[0]->value, (unsigned)node->args.n_ints, shape, ret,
                            reterr);
}

static VJP(vjp_expand)
{
    (void)builder;
    (void)node;
    (void)which;
    return d;
}

static SOURCE(source_expand)
{
    return broadcast_cell(node, 0, index);
}

static WRITE(write_expand)
{
    formula_parent(node, 0, text, depth);
    text_put(text, ".expand(");
    write_ints(node, text);
    text_char(text, ')');
}

/* ---- to_float, detach: the same numbers ---- */

static FORWARD(forward_to_float)
{
    (void)stop;
    (void)reterr;
    *ret = tensor_share(&node->parents[0]->value);
    ret->is_bool = false;
    return true;
}

static FORWARD(forward_detach)
{
    (void)stop;
    (void)reterr;
    *ret = tensor_share(&node->parents[0]->value);
    return true;
}

static FORWARD(forward_contiguous)
{
    (void)stop;
    return tensor_dense(&node->parents[0]->value, ret, reterr);
}

static SOURCE(source_same)
{
    return parent_cell(node, index);
}

/* ---- tril, triu ---- */

static bool in_triangle(const struct node *node, size_t row, size_t column)
{
    ptrdiff_t diagonal = node->args.ints[0];
    ptrdiff_t away = (ptrdiff_t)column - (ptrdiff_t)row;
    return node->op->kind == OP_TRIL ? away <= diagonal : away >= diagonal;
}

static FORWARD(forward_triangle)
{
    (void)stop;
    const struct tensor *x = &node->parents[0]->value;
    if (x->n_axes < 2)
        return error_set(reterr, ERR_SHAPE, "%s: a triangle needs a matrix, at least 2 axes",
                         node->op->name);
    if (!tensor_copy(x, ret, reterr))
        return false;
    size_t n_rows = x->shape[x->n_axes - 2], n_cols = x->shape[x->n_axes - 1];
    size_t size = tensor_size(ret);
    for (size_t i = 0; i < size; i++)
        if (!in_triangle(node, i / n_cols % n_rows, i % n_cols))
            ret->data[i] = 0;
    return true;
}

static VJP(vjp_triangle)
{
    (void)which;
    return build_ints(builder, node->op->kind, d, 1, node->args.ints, 0);
}

static SOURCE(source_triangle)
{
    unsigned n = node->value.n_axes;
    return in_triangle(node, index[n - 2], index[n - 1]) ? parent_cell(node, index)
                                                         : (struct cell){0};
}

static WRITE(write_triangle)
{
    text_format(text, "%s(", node->op->name);
    formula_argument(node, 0, text, depth);
    if (node->args.ints[0] != 0)
        text_format(text, ", diagonal=%td", node->args.ints[0]);
    text_char(text, ')');
}

/* ---- edit: one number set by hand ---- */

static FORWARD(forward_edit)
{
    (void)stop;
    if (!tensor_copy(&node->parents[0]->value, ret, reterr))
        return false;
    float number = (float)node->args.number;
    ret->data[node->args.ints[0]] = ret->is_bool ? (float)(number != 0) : number;
    return true;
}

static VJP(vjp_edit)
{
    (void)which;
    return build_ints(builder, OP_EDIT, d, 1, node->args.ints, 0);
}

/* "old X with [0, 1] = 5", "old x set to 5": no formula to type, so that nobody takes it for one.
 */
static WRITE(write_edit)
{
    char number[NUMBER_TEXT];
    struct cell cell = {(struct node *)node, (size_t)node->args.ints[0]};
    formula_parent(node, 0, text, depth);
    if (node->value.n_axes > 0) {
        text_put(text, " with ");
        cell_write_as(cell, "", text);
        text_put(text, " = ");
    } else {
        text_put(text, " set to ");
    }
    text_put(text, number_short((float)node->args.number, 6, number));
}

static EXPLAIN(explain_edit)
{
    size_t position = tensor_position_of(&node->value, index);
    struct cell before = {node->parents[0], position};
    if (position != (size_t)node->args.ints[0]) {
        struct text line = {0};
        text_put(&line, "= ");
        explain_term(explanation, &line, before);
        text_put(&line, "   as before the change");
        explain_line(explanation, &line);
        text_release(&line);
        return;
    }
    char number[NUMBER_TEXT];
    explain_format(explanation, "= set by hand; it was %s",
                   number_short(cell_value(before), explanation->digits, number));
}

/* ---- the table ---- */

static const struct op rows[] = {
    MOVE_OP(RESHAPE, "reshape", reshape, relabel_reshape),
    MOVE_OP(PERMUTE, "permute", permute, relabel_permute),
    MOVE_OP(EXPAND, "expand", expand, relabel_broadcast),
    MOVE_OP(TRIL, "tril", triangle, relabel_first),
    MOVE_OP(TRIU, "triu", triangle, relabel_first),
    {.kind = OP_TO_FLOAT,
     .name = "float",
     .form = "%0.float()",
     .binding = BIND_TIGHT,
     .is_move = true,
     .forward = forward_to_float,
     .relabel = relabel_first,
     .vjp = vjp_expand,
     .source = source_same},
    {.kind = OP_DETACH,
     .name = "detach",
     .form = "%0.detach()",
     .binding = BIND_TIGHT,
     .is_move = true,
     .forward = forward_detach,
     .relabel = relabel_first,
     .source = source_same},
    {.kind = OP_CONTIGUOUS,
     .name = "contiguous",
     .form = "%0.contiguous()",
     .binding = BIND_TIGHT,
     .is_move = true,
     .forward = forward_contiguous,
     .relabel = relabel_first,
     .vjp = vjp_expand,
     .source = source_same},
    {.kind = OP_EDIT,
     .name = "edit",
     .binding = BIND_COMPARE,
     .write = write_edit,
     .forward = forward_edit,
     .relabel = relabel_first,
     .vjp = vjp_edit,
     .explain = explain_edit},
};

OP_TABLE(op_moves, OP_RESHAPE, OP_EDIT);
