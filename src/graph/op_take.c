/* Positions along an axis by number, as rows of a table of embeddings, and what their gradient is
 * made of. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops_internal.h"
#include "kernel/kernel.h"
#include "show/number.h"

/* ---- take: positions of x along one axis, by number ---- */

/* The axis of x along which it takes. */
static unsigned taken_axis(const struct node *take)
{
    return take->args.n_ints > 0 ? (unsigned)take->args.ints[0] : 0;
}

/* Number `i` of ids as a position on an axis of that length, or false with a message when there is
 * no such position. */
static bool position_of(const struct tensor *ids, size_t i, unsigned axis, size_t length,
                        size_t *ret, struct error *reterr)
{
    float id = tensor_at_position(ids, i);
    if (!(id >= -(float)length && id < (float)length) || id != (float)(ptrdiff_t)id) {
        char number[NUMBER_TEXT], what[32] = "row", where[32] = "";
        if (axis > 0) {
            snprintf(what, sizeof what, "position");
            snprintf(where, sizeof where, " on axis %u", axis);
        }
        return error_set(reterr, ERR_RANGE, "%s %s does not exist%s: there are %zu %ss, 0 to %zu",
                         what, number_short(id, 4, number), where, length, what,
                         length ? length - 1 : 0);
    }
    *ret = (size_t)(id < 0 ? id + (float)length : id);
    return true;
}

/* How many numbers stand side by side in the axes from `from` up to `to`. */
static size_t run_size(const struct tensor *x, unsigned from, unsigned to)
{
    size_t size = 1;
    for (unsigned axis = from; axis < to; axis++)
        size *= x->shape[axis];
    return size;
}

/* The shape of x with the shape of ids in place of its axis. */
static void taken_shape(const struct tensor *x, const struct tensor *ids, unsigned axis,
                        size_t ret[TENSOR_MAX_AXES])
{
    memcpy(ret, x->shape, axis * sizeof *ret);
    memcpy(ret + axis, ids->shape, ids->n_axes * sizeof *ret);
    memcpy(ret + axis + ids->n_axes, x->shape + axis + 1, (x->n_axes - axis - 1) * sizeof *ret);
}

static FORWARD(forward_take)
{
    (void)stop;
    const struct tensor *x = &node->parents[0]->value, *ids = &node->parents[1]->value;
    unsigned axis = taken_axis(node);
    if (axis >= x->n_axes || ids->n_axes + x->n_axes - 1 > TENSOR_MAX_AXES)
        return error_set(reterr, ERR_SHAPE, "rows can't be taken from this by these numbers");
    size_t shape[TENSOR_MAX_AXES], n = tensor_size(ids), length = x->shape[axis], at = 0;
    size_t n_outer = run_size(x, 0, axis), run = run_size(x, axis + 1, x->n_axes);
    taken_shape(x, ids, axis, shape);
    struct tensor dense, made;
    if (!tensor_dense(x, &dense, reterr))
        return false;
    bool ok = tensor_empty(ids->n_axes + x->n_axes - 1, shape, &made, reterr);
    bool was_made = ok;
    for (size_t i = 0; ok && i < n; i++) {
        ok = position_of(ids, i, axis, length, &at, reterr);
        for (size_t outer = 0; ok && run > 0 && outer < n_outer; outer++)
            memcpy(made.data + (outer * n + i) * run, dense.data + (outer * length + at) * run,
                   run * sizeof(float));
    }
    tensor_release(&dense);
    if (ok) {
        made.is_bool = x->is_bool;
        *ret = made;
    } else if (was_made) {
        tensor_release(&made);
    }
    return ok;
}

static VJP(vjp_take)
{
    if (which == 1)
        return NULL;
    unsigned axis = taken_axis(node);
    ptrdiff_t ints[] = {(ptrdiff_t)node->parents[0]->value.shape[axis], (ptrdiff_t)axis};
    return build_many(builder, OP_UNTAKE, 2, (struct node *const[]){d, node->parents[1]}, 2, ints);
}

/* The other axes keep their names; a list of positions names them too. */
static RELABEL(relabel_take)
{
    const struct node *x = node->parents[0], *ids = node->parents[1];
    unsigned taken = taken_axis(node);
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        if (axis != taken)
            label_axis(node, axis < taken ? axis : ids->value.n_axes + axis - 1, x, axis);
    if (x->labels[taken] == NULL || ids->value.n_axes != 1)
        return true;
    size_t n = ids->value.shape[0], length = x->value.shape[taken];
    const char **names = malloc((n + 1) * sizeof *names);
    if (names == NULL)
        return error_memory(reterr, "taking rows");
    for (size_t i = 0; i < n; i++) {
        size_t at = 0;
        (void)position_of(&ids->value, i, taken, length, &at, NULL); /* forward has checked them */
        names[i] = labels_name(x->labels[taken], at);
    }
    bool ok = labels_new(n, names, NULL, &node->labels[taken], reterr);
    free(names);
    return ok;
}

static SOURCE(source_take)
{
    const struct node *x = node->parents[0];
    const struct tensor *ids = &node->parents[1]->value;
    size_t from[TENSOR_MAX_AXES];
    unsigned taken = taken_axis(node);
    memcpy(from, index, taken * sizeof *from);
    (void)position_of(ids, tensor_position_of(ids, index + taken), taken, x->value.shape[taken],
                      &from[taken], NULL);
    for (unsigned axis = taken + 1; axis < x->value.n_axes; axis++)
        from[axis] = index[ids->n_axes + axis - 1];
    return parent_cell(node, from);
}

/* X[ids], X[:, ids] */
static WRITE(write_take)
{
    formula_parent(node, 0, text, depth);
    text_char(text, '[');
    for (unsigned axis = 0; axis < taken_axis(node); axis++)
        text_put(text, ":, ");
    formula_argument(node, 1, text, depth);
    text_char(text, ']');
}

/* ---- untake: the gradient of take; positions that were taken several times add up ---- */

/* The axis of the result that is put together again. */
static unsigned untaken_axis(const struct node *untake)
{
    return untake->args.n_ints > 1 ? (unsigned)untake->args.ints[1] : 0;
}

/* The kernels add a long run; either way a sum is rounded once, so the numbers are the same. */
static void add_run(const float *from, size_t n, float *to)
{
    enum { LONG = 32 };
    const struct kernel *kernel = n < LONG ? NULL : kernel_get();
    if (kernel != NULL)
        kernel->element(ELEMENT_ADD, n, (const float *const[]){to, from}, to);
    else
        for (size_t j = 0; j < n; j++)
            to[j] += from[j];
}

static FORWARD(forward_untake)
{
    (void)stop;
    const struct tensor *d = &node->parents[0]->value, *ids = &node->parents[1]->value;
    size_t shape[TENSOR_MAX_AXES];
    unsigned n_axes = d->n_axes - ids->n_axes + 1, axis = untaken_axis(node);
    memcpy(shape, d->shape, axis * sizeof *shape);
    shape[axis] = (size_t)node->args.ints[0];
    memcpy(shape + axis + 1, d->shape + axis + ids->n_axes, (n_axes - axis - 1) * sizeof *shape);
    struct tensor dense;
    if (!tensor_zeros(n_axes, shape, ret, reterr))
        return false;
    if (!tensor_dense(d, &dense, reterr)) {
        tensor_release(ret);
        return false;
    }
    size_t n_outer = run_size(ret, 0, axis), run = run_size(ret, axis + 1, n_axes);
    size_t n = tensor_size(ids), length = shape[axis];
    for (size_t i = 0; run > 0 && i < n; i++) {
        size_t at = 0;
        (void)position_of(ids, i, axis, length, &at, NULL); /* take has checked them */
        for (size_t outer = 0; outer < n_outer; outer++)
            add_run(dense.data + (outer * n + i) * run, run,
                    ret->data + (outer * length + at) * run);
    }
    tensor_release(&dense);
    return true;
}

static VJP(vjp_untake)
{
    ptrdiff_t axis = (ptrdiff_t)untaken_axis(node);
    return which == 0 ? build_many(builder, OP_TAKE, 2, (struct node *const[]){d, node->parents[1]},
                                   1, &axis)
                      : NULL;
}

static EXPLAIN(explain_untake)
{
    const struct tensor *ids = &node->parents[1]->value;
    struct node *d = node->parents[0];
    size_t n = tensor_size(ids), at = 0, count = 0;
    unsigned taken = untaken_axis(node);
    struct text line = {0};
    text_put(&line, "= ");
    for (size_t i = 0; i < n; i++) {
        size_t from[TENSOR_MAX_AXES];
        (void)position_of(ids, i, taken, node->value.shape[taken], &at, NULL);
        if (at != index[taken])
            continue;
        memcpy(from, index, taken * sizeof *from);
        tensor_index_of(ids, i, from + taken);
        for (unsigned axis = taken + 1; axis < node->value.n_axes; axis++)
            from[ids->n_axes + axis - 1] = index[axis];
        text_put(&line, count++ ? " + " : "");
        explain_term(explanation, &line, (struct cell){d, tensor_position_of(&d->value, from)});
    }
    if (count == 0)
        text_put(&line,
                 taken == 0 ? "0: this row was never taken" : "0: this position was never taken");
    explain_line(explanation, &line);
    text_release(&line);
}

/* ---- the table ---- */

static const struct op rows[] = {
    {.kind = OP_TAKE,
     .name = "take",
     .binding = BIND_TIGHT,
     .is_move = true,
     .forward = forward_take,
     .relabel = relabel_take,
     .vjp = vjp_take,
     .source = source_take,
     .write = write_take},
    {.kind = OP_UNTAKE,
     .name = "untake",
     .form = "put_back(%0, %1)",
     .binding = BIND_TIGHT,
     .forward = forward_untake,
     .vjp = vjp_untake,
     .explain = explain_untake},
};

OP_TABLE(op_takes, OP_TAKE, OP_UNTAKE);
