/* Numbers by their row-major positions, wherever these lie, and running sums along an axis. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops_internal.h"

/* ---- pick: ints {n_axes, the shape, the position of each number in x} ---- */

static unsigned picked_axes(const struct node *node)
{
    return (unsigned)node->args.ints[0];
}

static const ptrdiff_t *positions_of(const struct node *node)
{
    return node->args.ints + 1 + picked_axes(node);
}

static void picked_shape(const struct node *node, size_t ret[TENSOR_MAX_AXES])
{
    for (unsigned axis = 0; axis < picked_axes(node); axis++)
        ret[axis] = (size_t)node->args.ints[1 + axis];
}

/* The other direction: that operation on d, with the shape that x has. */
static struct node *turned_round(struct builder *builder, enum op_kind kind,
                                 const struct node *node, struct node *d)
{
    const struct tensor *x = &node->parents[0]->value;
    size_t n = node->args.n_ints - 1 - picked_axes(node), n_ints = 1 + x->n_axes + n;
    ptrdiff_t *ints = malloc(n_ints * sizeof *ints);
    if (ints == NULL) {
        error_memory(builder->reterr, node->op->name);
        builder->failed = true;
        return NULL;
    }
    ints[0] = x->n_axes;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        ints[1 + axis] = (ptrdiff_t)x->shape[axis];
    if (n > 0)
        memcpy(ints + 1 + x->n_axes, positions_of(node), n * sizeof *ints);
    struct node *made = build_ints(builder, kind, d, n_ints, ints, 0);
    free(ints);
    return made;
}

static FORWARD(forward_pick)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES];
    struct tensor dense;
    const ptrdiff_t *from = positions_of(node);
    picked_shape(node, shape);
    if (!tensor_dense(&node->parents[0]->value, &dense, reterr))
        return false;
    bool ok = tensor_empty(picked_axes(node), shape, ret, reterr);
    size_t n = ok ? tensor_size(ret) : 0;
    for (size_t i = 0; i < n; i++)
        ret->data[i] = dense.data[from[i]];
    if (ok)
        ret->is_bool = dense.is_bool;
    tensor_release(&dense);
    return ok;
}

static VJP(vjp_pick)
{
    (void)which;
    return turned_round(builder, OP_UNPICK, node, d);
}

static SOURCE(source_pick)
{
    return (struct cell){node->parents[0],
                         (size_t)positions_of(node)[tensor_position_of(&node->value, index)]};
}

static WRITE(write_pick)
{
    formula_parent(node, 0, text, depth);
    text_put(text, "[...]");
}

/* ---- unpick: zeros of a shape, to which each number is added at its position ---- */

static FORWARD(forward_unpick)
{
    (void)stop;
    size_t shape[TENSOR_MAX_AXES];
    struct tensor dense;
    const ptrdiff_t *to = positions_of(node);
    picked_shape(node, shape);
    if (!tensor_dense(&node->parents[0]->value, &dense, reterr))
        return false;
    bool ok = tensor_zeros(picked_axes(node), shape, ret, reterr);
    size_t n = tensor_size(&dense);
    for (size_t i = 0; ok && i < n; i++)
        ret->data[to[i]] += dense.data[i];
    tensor_release(&dense);
    return ok;
}

static VJP(vjp_unpick)
{
    (void)which;
    return turned_round(builder, OP_PICK, node, d);
}

static EXPLAIN(explain_unpick)
{
    struct text line = {0};
    const ptrdiff_t *to = positions_of(node);
    ptrdiff_t position = (ptrdiff_t)tensor_position_of(&node->value, index);
    size_t n = tensor_size(&node->parents[0]->value), count = 0;
    text_put(&line, "= ");
    for (size_t i = 0; i < n; i++)
        if (to[i] == position) {
            text_put(&line, count++ ? " + " : "");
            explain_term(explanation, &line, (struct cell){node->parents[0], i});
        }
    if (count == 0)
        text_put(&line, "0: nothing was put here");
    explain_line(explanation, &line);
    text_release(&line);
}

/* ---- cumsum: ints {axis, 1 from the end} ---- */

static FORWARD(forward_cumsum)
{
    (void)stop;
    unsigned axis = (unsigned)node->args.ints[0];
    bool from_end = node->args.ints[1] != 0;
    if (!tensor_copy(&node->parents[0]->value, ret, reterr))
        return false;
    ret->is_bool = false;
    size_t length = ret->shape[axis], run = 1, size = tensor_size(ret);
    for (unsigned i = axis + 1; i < ret->n_axes; i++)
        run *= ret->shape[i];
    for (size_t start = 0; start < size; start += length * run)
        for (size_t j = 0; j < run; j++) {
            double sum = 0;
            for (size_t i = 0; i < length; i++) {
                float *at = ret->data + start + (from_end ? length - 1 - i : i) * run + j;
                sum += (double)*at;
                *at = (float)sum;
            }
        }
    return true;
}

static VJP(vjp_cumsum)
{
    (void)which;
    ptrdiff_t ints[2] = {node->args.ints[0], !node->args.ints[1]};
    return build_ints(builder, OP_CUMSUM, d, 2, ints, 0);
}

/* The terms of one running sum: the index that it ends at. */
struct running {
    const struct node *node;
    size_t index[TENSOR_MAX_AXES];
};

static void running_term(const void *context, size_t i, struct cell ret_cells[2])
{
    struct running running = *(const struct running *)context;
    const struct node *node = running.node;
    unsigned axis = (unsigned)node->args.ints[0];
    running.index[axis] = node->args.ints[1] ? node->value.shape[axis] - 1 - i : i;
    ret_cells[0] = parent_cell(node, running.index);
}

static EXPLAIN(explain_cumsum)
{
    struct running running = {.node = node};
    unsigned axis = (unsigned)node->args.ints[0];
    memcpy(running.index, index, node->value.n_axes * sizeof *index);
    struct sum sum = {.n_terms = node->args.ints[1] ? node->value.shape[axis] - index[axis]
                                                    : index[axis] + 1,
                      .term = running_term,
                      .context = &running};
    explain_sum(explanation, &sum);
}

static WRITE(write_cumsum)
{
    text_put(text, node->args.ints[1] ? "cumsum_from_end(" : "cumsum(");
    formula_argument(node, 0, text, depth);
    text_format(text, ", dim=%td)", node->args.ints[0]);
}

/* ---- the table ---- */

static const struct op rows[] = {
    MOVE_OP(PICK, "pick", pick, NULL),
    {.kind = OP_UNPICK,
     .name = "unpick",
     .form = "put_back(%0)",
     .binding = BIND_TIGHT,
     .forward = forward_unpick,
     .vjp = vjp_unpick,
     .explain = explain_unpick},
    {.kind = OP_CUMSUM,
     .name = "cumsum",
     .binding = BIND_TIGHT,
     .forward = forward_cumsum,
     .relabel = relabel_first,
     .vjp = vjp_cumsum,
     .explain = explain_cumsum,
     .write = write_cumsum},
};

OP_TABLE(op_picks, OP_PICK, OP_CUMSUM);
