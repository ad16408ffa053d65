/* Slices, what their gradient is made of, and cat. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops_internal.h"
#include "tensor/walk.h"

/* ---- slice: for each axis start, count (-1: one position, axis dropped), step ---- */

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

static FORWARD(forward_slice)
{
    (void)stop;
    return slice_view(&node->parents[0]->value, node->args.ints, ret, reterr);
}

static VJP(vjp_slice)
{
    const struct tensor *x = &node->parents[which]->value;
    ptrdiff_t ints[4 * TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        ints[axis] = (ptrdiff_t)x->shape[axis];
    memcpy(ints + x->n_axes, node->args.ints, node->args.n_ints * sizeof *ints);
    return build_ints(builder, OP_UNSLICE, d, x->n_axes + node->args.n_ints, ints, 0);
}

static RELABEL(relabel_slice)
{
    const struct node *x = node->parents[0];
    unsigned next = 0;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        const ptrdiff_t *cut = node->args.ints + 3 * axis; /* start, count, step */
        if (cut[1] < 0)
            continue;
        if (x->labels[axis] != NULL && !labels_take(x->labels[axis], (size_t)cut[0], (size_t)cut[1],
                                                    cut[2], &node->labels[next], reterr))
            return false;
        next++;
    }
    return true;
}

static SOURCE(source_slice)
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

/* As the learner would write it: by label where one position was picked. */
static WRITE(write_slice)
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
        const ptrdiff_t *cut = node->args.ints + 3 * axis;
        if (cut[1] < 0 && x->labels[axis] != NULL) {
            text_put(text, "\"");
            labels_write(x->labels[axis], (size_t)cut[0], text);
            text_put(text, "\"");
        } else
            write_cut(cut, x->value.shape[axis], text);
    }
    text_char(text, ']');
}

/* ---- unslice: the gradient of slice. ints: the shape, then the cuts ---- */

static size_t unslice_axes(const struct node *node)
{
    return node->args.n_ints / 4;
}

/* view = x, of the same shape, a run of the last axis at a time. */
static void write_runs(const struct tensor *view, const struct tensor *x)
{
    struct walk walk;
    const struct tensor *const both[] = {view, x};
    for (walk_start(&walk, 2, both); !walk.done; walk_next(&walk))
        for (size_t i = 0; i < walk.run; i++)
            walk.at[0][(ptrdiff_t)i * walk.step[0]] = walk.at[1][(ptrdiff_t)i * walk.step[1]];
}

static FORWARD(forward_unslice)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES], n_axes = unslice_axes(node);
    for (size_t axis = 0; axis < n_axes; axis++)
        shape[axis] = (size_t)node->args.ints[axis];
    struct tensor view;
    if (!tensor_zeros((unsigned)n_axes, shape, ret, reterr))
        return false;
    if (!slice_view(ret, node->args.ints + n_axes, &view, reterr)) {
        tensor_release(ret);
        return false;
    }
    write_runs(&view, &node->parents[0]->value);
    tensor_release(&view);
    return true;
}

static VJP(vjp_unslice)
{
    (void)which;
    size_t n_axes = unslice_axes(node);
    return build_ints(builder, OP_SLICE, d, 3 * n_axes, node->args.ints + n_axes, 0);
}

static SOURCE(source_unslice)
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

static WRITE(write_unslice)
{
    text_put(text, "put_back(");
    formula_argument(node, 0, text, depth);
    text_char(text, ')');
}

/* ---- cat ---- */

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

static FORWARD(forward_cat)
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
    if (!tensor_empty(first->n_axes, shape, ret, reterr))
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

static VJP(vjp_cat)
{
    unsigned axis = (unsigned)node->args.ints[0];
    size_t start = 0;
    for (unsigned p = 0; p < which; p++)
        start += node->parents[p]->value.shape[axis];
    return build_slice(builder, d, axis, start, node->parents[which]->value.shape[axis]);
}

/* Names of all parts one after the other, where every part has them. */
static bool join_labels(struct node *node, unsigned axis, struct error *reterr)
{
    size_t n = node->value.shape[axis], next = 0;
    for (unsigned p = 0; p < node->n_parents; p++)
        if (node->parents[p]->labels[axis] == NULL)
            return true;
    const char **names = malloc((n + 1) * sizeof *names);
    if (names == NULL)
        return error_memory(reterr, "cat");
    for (unsigned p = 0; p < node->n_parents; p++)
        for (size_t i = 0; i < labels_count(node->parents[p]->labels[axis]); i++)
            names[next++] = labels_name(node->parents[p]->labels[axis], i);
    bool ok = labels_new(n, names, NULL, &node->labels[axis], reterr);
    free(names);
    return ok;
}

static RELABEL(relabel_cat)
{
    unsigned joined = (unsigned)node->args.ints[0];
    for (unsigned p = 0; p < node->n_parents; p++)
        for (unsigned axis = 0; axis < node->value.n_axes; axis++)
            if (axis != joined)
                label_axis(node, axis, node->parents[p], axis);
    return join_labels(node, joined, reterr);
}

static SOURCE(source_cat)
{
    unsigned axis = (unsigned)node->args.ints[0], p = 0;
    size_t from[TENSOR_MAX_AXES];
    memcpy(from, index, node->value.n_axes * sizeof *from);
    while (from[axis] >= node->parents[p]->value.shape[axis])
        from[axis] -= node->parents[p++]->value.shape[axis];
    struct node *x = node->parents[p];
    return (struct cell){x, tensor_position_of(&x->value, from)};
}

/* A nameless node that gives another a first axis, of one position. */
static bool is_item(const struct node *part)
{
    if (part->name != NULL || part->op->kind != OP_RESHAPE)
        return false;
    const struct tensor *item = &part->parents[0]->value, *row = &part->value;
    return row->n_axes == item->n_axes + 1 && row->shape[0] == 1 &&
           memcmp(row->shape + 1, item->shape, item->n_axes * sizeof *item->shape) == 0;
}

/* Items that stand one after the other along that axis. */
static bool is_list(const struct node *node)
{
    bool all = node->args.ints[0] == 0;
    for (unsigned p = 0; p < node->n_parents; p++)
        all = all && is_item(node->parents[p]);
    return all;
}

/* A long one by its ends. */
static void write_list(const struct node *node, struct text *text, int depth)
{
    unsigned last = node->n_parents - 1;
    bool is_long = node->n_parents > 4;
    text_char(text, '[');
    for (unsigned p = 0; p <= last; p++) {
        if (is_long && p == 2) {
            text_put(text, ", ...");
            p = last;
        }
        text_put(text, p ? ", " : "");
        formula_argument(node->parents[p], 0, text, depth + 1);
    }
    text_char(text, ']');
}

static WRITE(write_cat)
{
    if (is_list(node)) {
        write_list(node, text, depth);
        return;
    }
    text_put(text, "cat([");
    for (unsigned p = 0; p < node->n_parents && text->size < 400; p++) {
        text_put(text, p ? ", " : "");
        formula_argument(node, p, text, depth);
    }
    text_format(text, "], dim=%td)", node->args.ints[0]);
}

/* ---- the table ---- */

static const struct op rows[] = {
    MOVE_OP(SLICE, "slice", slice, relabel_slice),
    MOVE_OP(UNSLICE, "unslice", unslice, NULL),
    MOVE_OP(CAT, "cat", cat, relabel_cat),
};

OP_TABLE(op_slices, OP_SLICE, OP_CAT);
