/* See window_internal.h. */
#include "graph/window_internal.h"

#include <string.h>

#include "base/array.h"
#include "graph/ops.h"

void window_spread(struct tensor *x, unsigned n_axes, const size_t *shape)
{
    ptrdiff_t along = x->stride[x->n_axes - 1];
    x->n_axes = n_axes;
    memcpy(x->shape, shape, n_axes * sizeof *shape);
    memset(x->stride, 0, sizeof x->stride);
    x->stride[n_axes - 1] = along;
}

/* A view of x: axis i of the whole is cut to the window's position for all i < n_cut. */
static struct tensor cut(const struct tensor *x, const struct window *window, unsigned n_cut)
{
    struct tensor view = tensor_share(x);
    unsigned missing = window->n_axes - x->n_axes;
    for (unsigned axis = 0; axis < x->n_axes && axis + missing < n_cut; axis++) {
        size_t at = view.shape[axis] == 1 ? 0 : window->index[axis + missing];
        view.data += (ptrdiff_t)at * view.stride[axis];
        view.shape[axis] = 1;
    }
    return view;
}

/* Sum over i of a[i] b[i, j]; in a weighted sum a weight of 0 adds nothing, even to NaN. */
static double product_cell(const struct tensor *a, const struct tensor *b, size_t j, bool weighted)
{
    ptrdiff_t a_step = a->stride[a->n_axes - 1], b_step = b->stride[b->n_axes - 2];
    const float *column = b->data + (ptrdiff_t)j * b->stride[b->n_axes - 1];
    double sum = 0;
    for (size_t i = 0; i < a->shape[a->n_axes - 1]; i++) {
        double left = (double)a->data[(ptrdiff_t)i * a_step];
        if (!weighted || left != 0)
            sum += left * (double)column[(ptrdiff_t)i * b_step];
    }
    return sum;
}

static bool product_row(const struct window *window, bool weighted, struct node *const *parents,
                        struct tensor *ret, struct error *reterr)
{
    struct tensor a = cut(&parents[0]->value, window, window->n_axes - 1);
    struct tensor b = cut(&parents[1]->value, window, window->n_axes - 2);
    size_t shape[TENSOR_MAX_AXES] = {1, 1, 1, 1, 1, 1};
    shape[window->n_axes - 1] = b.shape[b.n_axes - 1];
    bool ok = tensor_zeros(window->n_axes, shape, ret, reterr);
    for (size_t j = 0; ok && j < shape[window->n_axes - 1]; j++)
        ret->data[j] = (float)product_cell(&a, &b, j, weighted);
    tensor_release(&a);
    tensor_release(&b);
    return ok;
}

/* The operation on the rows of the parents, as leaves. */
static bool compute_row(const struct window *window, const struct op *op, unsigned n_parents,
                        struct node *const *parents, const struct op_args *args, struct tensor *ret,
                        struct error *reterr)
{
    enum { MOST = 3 };
    struct graph apart = {0};
    struct node *rows[MOST] = {NULL}, *made = NULL;
    bool ok = n_parents <= MOST;
    for (unsigned p = 0; ok && p < n_parents; p++) {
        struct tensor row = cut(&parents[p]->value, window, window->n_axes - 1);
        rows[p] = node_input(&apart, &row, "", 0, reterr);
        ok = rows[p] != NULL;
    }
    if (ok)
        made = node_new(&apart, op, n_parents, rows, args, reterr);
    if (made != NULL)
        *ret = tensor_share(&made->value);
    node_free(made);
    for (unsigned p = 0; p < MOST; p++)
        node_free(rows[p]);
    return made != NULL;
}

/* The shape of the whole: of a product, rows as the left side, columns as the right one. */
static bool whole_shape(bool product, unsigned n_parents, struct node *const *parents,
                        struct tensor *ret, struct error *reterr)
{
    *ret = (struct tensor){.n_axes = 0};
    for (unsigned p = 0; p < n_parents; p++) {
        struct tensor shape = parents[p]->value, so_far = *ret;
        if (product)
            shape.shape[shape.n_axes - (p == 0 ? 1 : 2)] = 1;
        if (!tensor_broadcast_shape(&so_far, &shape, &ret->n_axes, ret->shape, reterr))
            return false;
    }
    return true;
}

static struct node *row_node(struct graph *graph, const struct window *window, const struct op *op,
                             unsigned n_parents, struct node *const *parents,
                             const struct op_args *args, struct error *reterr)
{
    bool product = op->kind == OP_MATMUL || op->kind == OP_WEIGHTED_SUM;
    struct tensor row, whole;
    if (!whole_shape(product, n_parents, parents, &whole, reterr))
        return NULL;
    bool ok = product ? product_row(window, op->kind == OP_WEIGHTED_SUM, parents, &row, reterr)
                      : compute_row(window, op, n_parents, parents, args, &row, reterr);
    if (!ok)
        return NULL;
    window_spread(&row, whole.n_axes, whole.shape);
    return node_given(graph, op, n_parents, parents, args, &row, reterr);
}

/* Heads that are repeated by a copy (..., n_own, group, n, d) to (..., n_heads, n, d): the matrix
 * of the window's head stands for all. */
static struct node *head_node(struct graph *graph, const struct window *window, const struct op *op,
                              struct node *const *parents, const struct op_args *args,
                              struct error *reterr)
{
    struct tensor whole = {.n_axes = (unsigned)args->n_ints};
    struct tensor matrix = tensor_share(&parents[0]->value);
    size_t index[TENSOR_MAX_AXES] = {0}, from[TENSOR_MAX_AXES];
    unsigned missing = window->n_axes - whole.n_axes, last = matrix.n_axes - 2;
    for (unsigned axis = 0; axis < whole.n_axes; axis++)
        whole.shape[axis] = (size_t)args->ints[axis];
    for (unsigned axis = 0; axis + 2 < whole.n_axes; axis++)
        index[axis] = whole.shape[axis] == 1 ? 0 : window->index[axis + missing];
    tensor_index_of(&matrix, tensor_position_of(&whole, index), from);
    for (unsigned axis = 0; axis < last; axis++)
        matrix.data += (ptrdiff_t)from[axis] * matrix.stride[axis];
    ptrdiff_t rows = matrix.stride[last];
    window_spread(&matrix, whole.n_axes, whole.shape);
    matrix.stride[whole.n_axes - 2] = rows;
    return node_given(graph, op, 1, parents, args, &matrix, reterr);
}

/* True where the numbers can stay where they are. */
static bool is_view(const struct op *op, struct node *const *parents, const struct op_args *args)
{
    size_t shape[TENSOR_MAX_AXES];
    struct tensor view;
    if (op->kind != OP_RESHAPE)
        return op->kind == OP_PERMUTE || op->kind == OP_EXPAND;
    for (size_t axis = 0; axis < args->n_ints; axis++)
        shape[axis] = (size_t)args->ints[axis];
    bool fits = tensor_view(&parents[0]->value, (unsigned)args->n_ints, shape, &view, NULL);
    if (fits)
        tensor_release(&view);
    return fits;
}

struct node *window_node(struct graph *graph, const struct window *window, const struct op *op,
                         unsigned n_parents, struct node *const *parents,
                         const struct op_args *args, struct error *reterr)
{
    bool whole = true; /* of single numbers alone */
    for (unsigned p = 0; p < n_parents; p++)
        whole = whole && parents[p]->value.n_axes == 0;
    if (whole || is_view(op, parents, args))
        return node_new(graph, op, n_parents, parents, args, reterr);
    return op->kind == OP_RESHAPE ? head_node(graph, window, op, parents, args, reterr)
                                  : row_node(graph, window, op, n_parents, parents, args, reterr);
}
