/* Operations that only move numbers: views, joins, rows by number, triangles. */
#include <stdlib.h>
#include <string.h>

#include "graph/op_functions.h"
#include "show/number.h"

static void shape_from_ints(const struct node *node, size_t n, size_t *ret_shape)
{
    for (size_t i = 0; i < n; i++)
        ret_shape[i] = (size_t)node->args.ints[i];
}

static struct node *reshape_like(struct builder *builder, struct node *x, const struct node *like)
{
    return build_reshape(builder, x, like->value.n_axes, like->value.shape);
}

/* Cell of parent 0 at an index. */
static struct cell parent_cell(const struct node *node, const size_t *index)
{
    struct node *x = node->parents[0];
    return (struct cell){x, tensor_position_of(&x->value, index)};
}

static void write_ints(const struct node *node, struct text *text)
{
    for (size_t i = 0; i < node->args.n_ints; i++)
        text_format(text, "%s%td", i ? ", " : "", node->args.ints[i]);
}

SOURCE(source_same)
{
    return parent_cell(node, index);
}

/* reshape */

FORWARD(forward_reshape)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES];
    shape_from_ints(node, node->args.n_ints, shape);
    return tensor_reshape(&node->parents[0]->value, (unsigned)node->args.n_ints, shape, ret,
                          reterr);
}

VJP(vjp_reshape)
{
    return reshape_like(builder, d, node->parents[which]);
}

SOURCE(source_reshape)
{
    return (struct cell){node->parents[0], tensor_position_of(&node->value, index)};
}

WRITE(write_reshape)
{
    formula_parent(node, 0, text, depth);
    text_put(text, ".reshape(");
    write_ints(node, text);
    text_char(text, ')');
}

/* permute */

FORWARD(forward_permute)
{
    (void)stop;
    unsigned order[TENSOR_MAX_AXES];
    for (size_t i = 0; i < node->args.n_ints; i++)
        order[i] = (unsigned)node->args.ints[i];
    return tensor_permute(&node->parents[0]->value, order, ret, reterr);
}

VJP(vjp_permute)
{
    (void)which;
    ptrdiff_t inverse[TENSOR_MAX_AXES];
    for (size_t i = 0; i < node->args.n_ints; i++)
        inverse[node->args.ints[i]] = (ptrdiff_t)i;
    return build_ints(builder, OP_PERMUTE, d, node->args.n_ints, inverse, 0);
}

SOURCE(source_permute)
{
    size_t from[TENSOR_MAX_AXES];
    for (size_t i = 0; i < node->args.n_ints; i++)
        from[node->args.ints[i]] = index[i];
    return parent_cell(node, from);
}

/* .T where all axes were reversed, .transpose(a, b) where two were exchanged, else .permute(...) */
WRITE(write_permute)
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

/* expand */

FORWARD(forward_expand)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES];
    shape_from_ints(node, node->args.n_ints, shape);
    return tensor_broadcast(&node->parents[0]->value, (unsigned)node->args.n_ints, shape, ret,
                            reterr);
}

VJP(vjp_expand)
{
    (void)builder;
    (void)node;
    (void)which;
    return d;
}

SOURCE(source_expand)
{
    return broadcast_cell(node, 0, index);
}

WRITE(write_expand)
{
    formula_parent(node, 0, text, depth);
    text_put(text, ".expand(");
    write_ints(node, text);
    text_char(text, ')');
}

/* slice: for each axis start, count (-1: one position, axis dropped), step */

static bool slice_view(const struct tensor *x, const ptrdiff_t *cuts, struct tensor *ret,
                       struct error *reterr)
{
    struct tensor view = tensor_share(x), next;
    unsigned axis = 0;
    for (unsigned i = 0; i < x->n_axes; i++) {
        const ptrdiff_t *cut = cuts + 3 * i;
        bool ok = cut[1] < 0 ? tensor_pick(&view, axis, (size_t)cut[0], &next, reterr)
                             : tensor_slice(&view, axis, (size_t)cut[0], (size_t)cut[1], cut[2],
                                            &next, reterr);
        tensor_release(&view);
        if (!ok)
            return false;
        view = next;
        axis += cut[1] >= 0;
    }
    *ret = view;
    return true;
}

FORWARD(forward_slice)
{
    (void)stop;
    return slice_view(&node->parents[0]->value, node->args.ints, ret, reterr);
}

VJP(vjp_slice)
{
    const struct tensor *x = &node->parents[which]->value;
    ptrdiff_t ints[4 * TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        ints[axis] = (ptrdiff_t)x->shape[axis];
    memcpy(ints + x->n_axes, node->args.ints, node->args.n_ints * sizeof *ints);
    return build_ints(builder, OP_UNSLICE, d, x->n_axes + node->args.n_ints, ints, 0);
}

SOURCE(source_slice)
{
    size_t from[TENSOR_MAX_AXES];
    unsigned next = 0;
    for (unsigned axis = 0; axis < node->parents[0]->value.n_axes; axis++) {
        const ptrdiff_t *cut = node->args.ints + 3 * axis;
        ptrdiff_t steps = cut[1] < 0 ? 0 : (ptrdiff_t)index[next++];
        from[axis] = (size_t)(cut[0] + steps * cut[2]);
    }
    return parent_cell(node, from);
}

static void write_cut(const ptrdiff_t *cut, size_t length, struct text *text)
{
    if (cut[1] < 0) {
        text_format(text, "%td", cut[0]);
        return;
    }
    if (cut[0] != 0)
        text_format(text, "%td", cut[0]);
    text_char(text, ':');
    if (cut[0] + cut[1] * cut[2] < (ptrdiff_t)length && cut[2] > 0)
        text_format(text, "%td", cut[0] + cut[1] * cut[2]);
    if (cut[2] != 1)
        text_format(text, ":%td", cut[2]);
}

/* The cut of axis i as the learner would write it: by label where one position was picked. */
static void write_axis_cut(const struct node *x, unsigned axis, const ptrdiff_t *cut,
                           struct text *text)
{
    if (cut[1] < 0 && x->labels[axis] != NULL)
        text_format(text, "\"%s\"", labels_name(x->labels[axis], (size_t)cut[0]));
    else
        write_cut(cut, x->value.shape[axis], text);
}

WRITE(write_slice)
{
    const struct node *x = node->parents[0];
    unsigned n_written = x->value.n_axes;
    while (n_written > 1) { /* whole axes at the end need not be written */
        const ptrdiff_t *cut = node->args.ints + 3 * (n_written - 1);
        if (cut[0] != 0 || cut[1] != (ptrdiff_t)x->value.shape[n_written - 1] || cut[2] != 1)
            break;
        n_written--;
    }
    formula_parent(node, 0, text, depth);
    text_char(text, '[');
    for (unsigned axis = 0; axis < n_written; axis++) {
        text_put(text, axis ? ", " : "");
        write_axis_cut(x, axis, node->args.ints + 3 * axis, text);
    }
    text_char(text, ']');
}

/* unslice: the gradient of slice. ints: the shape, then the cuts */

static size_t unslice_axes(const struct node *node)
{
    return node->args.n_ints / 4;
}

FORWARD(forward_unslice)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES], n_axes = unslice_axes(node);
    shape_from_ints(node, n_axes, shape);
    struct tensor view;
    if (!tensor_zeros((unsigned)n_axes, shape, ret, reterr))
        return false;
    if (!slice_view(ret, node->args.ints + n_axes, &view, reterr)) {
        tensor_release(ret);
        return false;
    }
    const struct tensor *x = &node->parents[0]->value;
    size_t index[TENSOR_MAX_AXES], size = tensor_size(x);
    for (size_t i = 0; i < size; i++) {
        tensor_index_of(x, i, index);
        ptrdiff_t to = 0;
        for (unsigned axis = 0; axis < view.n_axes; axis++)
            to += (ptrdiff_t)index[axis] * view.stride[axis];
        view.data[to] = tensor_at(x, index);
    }
    tensor_release(&view);
    return true;
}

VJP(vjp_unslice)
{
    (void)which;
    size_t n_axes = unslice_axes(node);
    return build_ints(builder, OP_SLICE, d, 3 * n_axes, node->args.ints + n_axes, 0);
}

SOURCE(source_unslice)
{
    size_t n_axes = unslice_axes(node), from[TENSOR_MAX_AXES];
    unsigned next = 0;
    for (size_t axis = 0; axis < n_axes; axis++) {
        const ptrdiff_t *cut = node->args.ints + n_axes + 3 * axis;
        ptrdiff_t away = (ptrdiff_t)index[axis] - cut[0];
        ptrdiff_t count = cut[1] < 0 ? 1 : cut[1];
        if (away % cut[2] != 0 || away / cut[2] < 0 || away / cut[2] >= count)
            return (struct cell){0};
        if (cut[1] >= 0)
            from[next++] = (size_t)(away / cut[2]);
    }
    return parent_cell(node, from);
}

WRITE(write_unslice)
{
    text_put(text, "put_back(");
    formula_argument(node, 0, text, depth);
    text_char(text, ')');
}

/* cat */

static bool cat_fits(const struct node *node, unsigned axis, struct error *reterr)
{
    const struct tensor *first = &node->parents[0]->value;
    for (unsigned p = 1; p < node->n_parents; p++) {
        struct tensor other = node->parents[p]->value;
        bool same_axes = other.n_axes == first->n_axes;
        if (same_axes)
            other.shape[axis] = first->shape[axis];
        if (!same_axes || !tensor_same_shape(first, &other)) {
            char a[TENSOR_SHAPE_TEXT], b[TENSOR_SHAPE_TEXT];
            return error_set(reterr, ERR_SHAPE,
                             "cat: part 0 is %s and part %u is %s; they may differ only along "
                             "dim=%u",
                             tensor_shape_text(first, a), p,
                             tensor_shape_text(&node->parents[p]->value, b), axis);
        }
    }
    return true;
}

FORWARD(forward_cat)
{
    (void)stop;
    unsigned axis = (unsigned)node->args.ints[0];
    if (!cat_fits(node, axis, reterr))
        return false;
    const struct tensor *first = &node->parents[0]->value;
    size_t shape[TENSOR_MAX_AXES], outer = 1, at = 0, joined = 0;
    memcpy(shape, first->shape, sizeof shape);
    bool all_bool = true;
    for (unsigned p = 0; p < node->n_parents; p++) {
        joined += node->parents[p]->value.shape[axis];
        all_bool = all_bool && node->parents[p]->value.is_bool;
    }
    shape[axis] = joined;
    for (unsigned i = 0; i < axis; i++)
        outer *= shape[i];
    if (!tensor_zeros(first->n_axes, shape, ret, reterr))
        return false;
    ret->is_bool = all_bool;
    size_t row = outer ? tensor_size(ret) / outer : 0;
    for (unsigned p = 0; p < node->n_parents; p++) {
        struct tensor part;
        if (!tensor_dense(&node->parents[p]->value, &part, reterr)) {
            tensor_release(ret);
            return false;
        }
        size_t run = outer ? tensor_size(&part) / outer : 0;
        for (size_t i = 0; i < outer && run > 0; i++)
            memcpy(ret->data + i * row + at, part.data + i * run, run * sizeof(float));
        at += run;
        tensor_release(&part);
    }
    return true;
}

VJP(vjp_cat)
{
    unsigned axis = (unsigned)node->args.ints[0];
    size_t start = 0;
    for (unsigned p = 0; p < which; p++)
        start += node->parents[p]->value.shape[axis];
    return build_slice(builder, d, axis, start, node->parents[which]->value.shape[axis]);
}

SOURCE(source_cat)
{
    unsigned axis = (unsigned)node->args.ints[0], p = 0;
    size_t from[TENSOR_MAX_AXES];
    memcpy(from, index, node->value.n_axes * sizeof *from);
    while (from[axis] >= node->parents[p]->value.shape[axis])
        from[axis] -= node->parents[p++]->value.shape[axis];
    struct node *x = node->parents[p];
    return (struct cell){x, tensor_position_of(&x->value, from)};
}

WRITE(write_cat)
{
    text_put(text, "cat([");
    for (unsigned p = 0; p < node->n_parents && text->size < 400; p++) {
        text_put(text, p ? ", " : "");
        formula_argument(node, p, text, depth);
    }
    text_format(text, "], dim=%td)", node->args.ints[0]);
}

/* take: rows of x by number */

/* Row number `i` of ids, or false with a message when there is no such row. */
static bool row_number(const struct node *x, const struct tensor *ids, size_t i, size_t *ret_row,
                       struct error *reterr)
{
    float id = tensor_at_position(ids, i);
    size_t n = x->value.shape[0];
    if (!(id >= -(float)n && id < (float)n) || id != (float)(ptrdiff_t)id) {
        char number[NUMBER_TEXT];
        return error_set(reterr, ERR_RANGE, "row %s does not exist: there are %zu rows, 0 to %zu",
                         number_short(id, 4, number), n, n ? n - 1 : 0);
    }
    *ret_row = (size_t)(id < 0 ? id + (float)n : id);
    return true;
}

static size_t row_size(const struct tensor *x)
{
    size_t size = 1;
    for (unsigned axis = 1; axis < x->n_axes; axis++)
        size *= x->shape[axis];
    return size;
}

FORWARD(forward_take)
{
    (void)stop;
    const struct node *x = node->parents[0];
    const struct tensor *ids = &node->parents[1]->value;
    if (x->value.n_axes == 0 || ids->n_axes + x->value.n_axes - 1 > TENSOR_MAX_AXES)
        return error_set(reterr, ERR_SHAPE, "rows can't be taken from this by these numbers");
    size_t shape[TENSOR_MAX_AXES], run = row_size(&x->value), n = tensor_size(ids), row;
    memcpy(shape, ids->shape, ids->n_axes * sizeof *shape);
    memcpy(shape + ids->n_axes, x->value.shape + 1, (x->value.n_axes - 1) * sizeof *shape);
    struct tensor dense, made;
    if (!tensor_dense(&x->value, &dense, reterr))
        return false;
    bool ok = tensor_zeros(ids->n_axes + x->value.n_axes - 1, shape, &made, reterr);
    bool was_made = ok;
    for (size_t i = 0; ok && i < n; i++) {
        ok = row_number(x, ids, i, &row, reterr);
        if (ok && run > 0)
            memcpy(made.data + i * run, dense.data + row * run, run * sizeof(float));
    }
    tensor_release(&dense);
    if (ok) {
        made.is_bool = x->value.is_bool;
        *ret = made;
    } else if (was_made) {
        tensor_release(&made);
    }
    return ok;
}

VJP(vjp_take)
{
    if (which == 1)
        return NULL;
    ptrdiff_t n_rows = (ptrdiff_t)node->parents[0]->value.shape[0];
    struct node *rows =
        build_many(builder, OP_UNTAKE, 2, (struct node *const[]){d, node->parents[1]}, 1, &n_rows);
    return rows;
}

SOURCE(source_take)
{
    const struct node *x = node->parents[0];
    const struct tensor *ids = &node->parents[1]->value;
    size_t from[TENSOR_MAX_AXES];
    (void)row_number(x, ids, tensor_position_of(ids, index), &from[0], NULL);
    for (unsigned axis = 1; axis < x->value.n_axes; axis++)
        from[axis] = index[ids->n_axes + axis - 1];
    return parent_cell(node, from);
}

/* untake: the gradient of take; rows that were taken several times add up */

FORWARD(forward_untake)
{
    (void)stop;
    const struct tensor *d = &node->parents[0]->value, *ids = &node->parents[1]->value;
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes = d->n_axes - ids->n_axes + 1;
    shape[0] = (size_t)node->args.ints[0];
    memcpy(shape + 1, d->shape + ids->n_axes, (n_axes - 1) * sizeof *shape);
    struct tensor dense;
    if (!tensor_zeros(n_axes, shape, ret, reterr))
        return false;
    if (!tensor_dense(d, &dense, reterr)) {
        tensor_release(ret);
        return false;
    }
    size_t run = row_size(ret), n = tensor_size(ids);
    struct node rows = {.value = *ret};
    for (size_t i = 0; i < n; i++) {
        size_t row = 0;
        (void)row_number(&rows, ids, i, &row, NULL); /* take has checked them */
        for (size_t j = 0; j < run; j++)
            ret->data[row * run + j] += dense.data[i * run + j];
    }
    tensor_release(&dense);
    return true;
}

VJP(vjp_untake)
{
    return which == 0 ? build2(builder, OP_TAKE, d, node->parents[1]) : NULL;
}

EXPLAIN(explain_untake)
{
    const struct tensor *ids = &node->parents[1]->value;
    struct node *d = node->parents[0];
    size_t n = tensor_size(ids), row = 0, count = 0;
    struct text line = {0};
    text_put(&line, "= ");
    for (size_t i = 0; i < n; i++) {
        size_t from[TENSOR_MAX_AXES];
        (void)row_number(node, ids, i, &row, NULL);
        if (row != index[0])
            continue;
        tensor_index_of(ids, i, from);
        for (unsigned axis = 1; axis < node->value.n_axes; axis++)
            from[ids->n_axes + axis - 1] = index[axis];
        text_put(&line, count++ ? " + " : "");
        explain_term(explanation, &line, (struct cell){d, tensor_position_of(&d->value, from)});
    }
    if (count == 0)
        text_put(&line, "0: this row was never taken");
    explain_line(explanation, &line);
    text_release(&line);
}

/* tril, triu */

static bool in_triangle(const struct node *node, size_t row, size_t column)
{
    ptrdiff_t diagonal = node->args.ints[0];
    ptrdiff_t away = (ptrdiff_t)column - (ptrdiff_t)row;
    return node->op->kind == OP_TRIL ? away <= diagonal : away >= diagonal;
}

FORWARD(forward_triangle)
{
    (void)stop;
    const struct tensor *x = &node->parents[0]->value;
    if (x->n_axes < 2)
        return error_set(reterr, ERR_SHAPE, "%s: a triangle needs a matrix, at least 2 axes",
                         node->op->name);
    if (!tensor_copy(x, ret, reterr))
        return false;
    size_t rows = x->shape[x->n_axes - 2], columns = x->shape[x->n_axes - 1];
    size_t size = tensor_size(ret);
    for (size_t i = 0; i < size; i++)
        if (!in_triangle(node, i / columns % rows, i % columns))
            ret->data[i] = 0;
    return true;
}

VJP(vjp_triangle)
{
    (void)which;
    return build_ints(builder, node->op->kind, d, 1, node->args.ints, 0);
}

SOURCE(source_triangle)
{
    unsigned n = node->value.n_axes;
    return in_triangle(node, index[n - 2], index[n - 1]) ? parent_cell(node, index)
                                                         : (struct cell){0};
}

WRITE(write_triangle)
{
    text_format(text, "%s(", node->op->name);
    formula_argument(node, 0, text, depth);
    if (node->args.ints[0] != 0)
        text_format(text, ", diagonal=%td", node->args.ints[0]);
    text_char(text, ')');
}

/* edit: one number set by hand */

FORWARD(forward_edit)
{
    (void)stop;
    if (!tensor_copy(&node->parents[0]->value, ret, reterr))
        return false;
    float number = (float)node->args.number;
    ret->data[node->args.ints[0]] = ret->is_bool ? (float)(number != 0) : number;
    return true;
}

VJP(vjp_edit)
{
    (void)which;
    return build_ints(builder, OP_EDIT, d, 1, node->args.ints, 0);
}

/* "old X with [0, 1] = 5", "old x set to 5": no formula to type, so that nobody takes it for one.
 */
WRITE(write_edit)
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

EXPLAIN(explain_edit)
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
