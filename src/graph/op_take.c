/* Rows by number, as from a table of embeddings, and what their gradient is made of. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops_internal.h"
#include "show/number.h"

/* ---- take: rows of x by number ---- */

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

static FORWARD(forward_take)
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

static VJP(vjp_take)
{
    if (which == 1)
        return NULL;
    ptrdiff_t n_rows = (ptrdiff_t)node->parents[0]->value.shape[0];
    return build_many(builder, OP_UNTAKE, 2, (struct node *const[]){d, node->parents[1]}, 1,
                      &n_rows);
}

/* Rows taken by number: the other axes keep their names; a list of rows names them too. */
static RELABEL(relabel_take)
{
    const struct node *x = node->parents[0], *ids = node->parents[1];
    for (unsigned axis = 1; axis < x->value.n_axes; axis++)
        label_axis(node, ids->value.n_axes + axis - 1, x, axis);
    if (x->labels[0] == NULL || ids->value.n_axes != 1)
        return true;
    size_t n = ids->value.shape[0];
    const char **names = malloc((n + 1) * sizeof *names);
    if (names == NULL)
        return error_memory(reterr, "taking rows");
    for (size_t i = 0; i < n; i++) {
        float row = tensor_at_position(&ids->value, i);
        row += row < 0 ? (float)x->value.shape[0] : 0; /* counted from the end */
        names[i] = labels_name(x->labels[0], (size_t)row);
    }
    bool ok = labels_new(n, names, NULL, &node->labels[0], reterr);
    free(names);
    return ok;
}

static SOURCE(source_take)
{
    const struct node *x = node->parents[0];
    const struct tensor *ids = &node->parents[1]->value;
    size_t from[TENSOR_MAX_AXES];
    (void)row_number(x, ids, tensor_position_of(ids, index), &from[0], NULL);
    for (unsigned axis = 1; axis < x->value.n_axes; axis++)
        from[axis] = index[ids->n_axes + axis - 1];
    return parent_cell(node, from);
}

/* ---- untake: the gradient of take; rows that were taken several times add up ---- */

static FORWARD(forward_untake)
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
    struct node target = {.value = *ret};
    for (size_t i = 0; i < n; i++) {
        size_t row = 0;
        (void)row_number(&target, ids, i, &row, NULL); /* take has checked them */
        for (size_t j = 0; j < run; j++)
            ret->data[row * run + j] += dense.data[i * run + j];
    }
    tensor_release(&dense);
    return true;
}

static VJP(vjp_untake)
{
    return which == 0 ? build2(builder, OP_TAKE, d, node->parents[1]) : NULL;
}

static EXPLAIN(explain_untake)
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

/* ---- the table ---- */

static const struct op rows[] = {
    {.kind = OP_TAKE,
     .name = "take",
     .form = "%0[%1]",
     .binding = BIND_TIGHT,
     .is_move = true,
     .forward = forward_take,
     .relabel = relabel_take,
     .vjp = vjp_take,
     .source = source_take},
    {.kind = OP_UNTAKE,
     .name = "untake",
     .form = "put_back(%0, %1)",
     .binding = BIND_TIGHT,
     .forward = forward_untake,
     .vjp = vjp_untake,
     .explain = explain_untake},
};

OP_TABLE(op_takes, OP_TAKE, OP_UNTAKE);
