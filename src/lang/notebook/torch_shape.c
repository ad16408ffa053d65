/* Functions of torch that leave the numbers as they are and arrange them in another way: views,
 * copies, parts; and what a tensor says of its shape. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/ops.h"
#include "lang/notebook/torch_internal.h"

/* ---- views ---- */

/* Sizes of which one may be -1. */
static bool infer_shape(struct machine *m, size_t total, const int64_t *wholes, unsigned n,
                        ptrdiff_t *ret)
{
    size_t known = 1;
    unsigned open = n;
    bool fits = true;
    for (unsigned i = 0; i < n; i++) {
        if (wholes[i] == -1 && open < n)
            return raise_error(m, ERROR_RUNTIME, "only one dimension can be inferred");
        if (wholes[i] < -1)
            return raise_error(m, ERROR_RUNTIME, "invalid shape dimension %lld",
                               (long long)wholes[i]);
        if (wholes[i] == -1)
            open = i;
        else if (wholes[i] > (int64_t)TENSOR_MAX_SIZE || known > TENSOR_MAX_SIZE)
            fits = false;
        else
            known *= (size_t)wholes[i];
    }
    fits = fits && (open < n ? known > 0 && total % known == 0 : known == total);
    if (!fits) {
        struct text shape = {0};
        for (unsigned i = 0; i < n; i++)
            text_format(&shape, "%s%lld", i ? ", " : "", (long long)wholes[i]);
        raise_error(m, ERROR_RUNTIME, "shape '[%s]' is invalid for input of size %zu",
                    text_string(&shape), total);
        text_release(&shape);
        return false;
    }
    for (unsigned i = 0; i < n; i++)
        ret[i] = i == open ? (ptrdiff_t)(total / known) : (ptrdiff_t)wholes[i];
    return true;
}

/* The same numbers in another shape: a view where one is possible, else a copy. */
static bool reshaped(struct machine *m, struct tensor_thing *t, unsigned n, const ptrdiff_t *shape,
                     const char *grad_name, struct value *ret)
{
    struct tensor view;
    size_t sizes[TENSOR_MAX_AXES];
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return false;
    for (unsigned i = 0; i < n; i++)
        sizes[i] = (size_t)shape[i];
    if (tensor_view(&node->value, n, sizes, &view, NULL)) {
        tensor_release(&view);
        return tensor_make_view(m, t, OP_RESHAPE, n, shape, grad_name, ret);
    }
    struct work work;
    work_begin(&work, m);
    struct node *x = work_tensor(&work, t);
    return work_end(&work, x ? build_reshape(&work.b, x, n, sizes) : NULL, t->dtype,
                    strcmp(grad_name, "ViewBackward0") == 0 ? "UnsafeViewBackward0" : grad_name,
                    ret);
}

static bool not_complex(struct machine *m, const struct tensor_thing *t, const char *name)
{
    return t->dtype != DTYPE_COMPLEX64 ||
           raise_error(m, ERROR_NOT_IMPLEMENTED, "attn's %s() takes no complex tensors", name);
}

/* kind 1: reshape, which copies where it must; 0: view */
TORCH(run_reshape)
{
    int64_t wholes[TENSOR_MAX_AXES];
    ptrdiff_t shape[TENSOR_MAX_AXES];
    size_t sizes[TENSOR_MAX_AXES];
    unsigned n;
    struct tensor view;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL)
        return false;
    bool is_complex = t->dtype == DTYPE_COMPLEX64;
    const struct value *values = given(c, 1) ? &c->args[1] : c->rest;
    size_t n_values = given(c, 1) ? 1 : c->n_rest;
    if (row_of(c)->kind == 0 && c->n_rest == 1 && value_is(c->rest[0], THING_DTYPE))
        return raise_error(c->m, ERROR_NOT_IMPLEMENTED, "attn's view() takes no dtype");
    if (!read_wholes(c->m, c->native->name, values, n_values, wholes, &n) ||
        !infer_shape(c->m, tensor_size(&node->value) / (is_complex ? 2 : 1), wholes, n, shape))
        return false;
    if (is_complex && n < TENSOR_MAX_AXES)
        shape[n++] = 2;
    for (unsigned i = 0; i < n; i++)
        sizes[i] = (size_t)shape[i];
    if (row_of(c)->kind == 0) {
        if (!tensor_view(&node->value, n, sizes, &view, NULL))
            return raise_error(
                c->m, ERROR_RUNTIME,
                "view size is not compatible with input tensor's size and stride (at "
                "least one dimension spans across two contiguous subspaces). Use "
                ".reshape(...) instead.");
        tensor_release(&view);
    }
    return reshaped(c->m, t, n, shape, row_of(c)->kind == 0 ? "ViewBackward0" : "ViewBackward0",
                    ret);
}

/* view_as(x, other), reshape_as */
TORCH(run_reshape_as)
{
    struct tensor_thing *t = native_tensor(c, 0), *other = t ? native_tensor(c, 1) : NULL;
    struct node *x = other ? tensor_node(c->m, t) : NULL;
    struct node *like = x ? tensor_node(c->m, other) : NULL;
    ptrdiff_t shape[TENSOR_MAX_AXES];
    int64_t wholes[TENSOR_MAX_AXES];
    if (like == NULL)
        return false;
    for (unsigned i = 0; i < like->value.n_axes; i++)
        wholes[i] = (int64_t)like->value.shape[i];
    return infer_shape(c->m, tensor_size(&x->value), wholes, like->value.n_axes, shape) &&
           reshaped(c->m, t, like->value.n_axes, shape, "ViewBackward0", ret);
}

static bool permuted(struct machine *m, struct tensor_thing *t, const ptrdiff_t *order, unsigned n,
                     const char *grad_name, struct value *ret)
{
    return tensor_make_view(m, t, OP_PERMUTE, n, order, grad_name, ret);
}

static bool exchanged(struct machine *m, struct tensor_thing *t, unsigned n_axes, unsigned a,
                      unsigned b, const char *grad_name, struct value *ret)
{
    ptrdiff_t order[TENSOR_MAX_AXES];
    for (unsigned axis = 0; axis < n_axes; axis++)
        order[axis] = axis == a ? b : axis == b ? a : axis;
    return permuted(m, t, order, n_axes, grad_name, ret);
}

static unsigned shown_axes(const struct tensor_thing *t, const struct node *node)
{
    return node->value.n_axes - (t->dtype == DTYPE_COMPLEX64);
}

TORCH(run_transpose)
{
    unsigned a, b;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !native_dim(c, 1, shown_axes(t, node), 0, &a) ||
        !native_dim(c, 2, shown_axes(t, node), 0, &b))
        return false;
    if (node->value.n_axes == 0) {
        *ret = value_take(c->args[0]);
        return true;
    }
    return exchanged(c->m, t, node->value.n_axes, a, b, row_of(c)->grad_name, ret);
}

/* x.t(), x.T, x.mT: kind 0, 1, 2 */
TORCH(run_t)
{
    int kind = row_of(c)->kind;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    ptrdiff_t order[TENSOR_MAX_AXES];
    if (node == NULL || !not_complex(c->m, t, c->native->name))
        return false;
    unsigned n = node->value.n_axes;
    if (kind == 0 && n > 2)
        return raise_error(c->m, ERROR_RUNTIME,
                           "t() expects a tensor with <= 2 dimensions, but self is %uD", n);
    if (kind == 2 && n < 2)
        return raise_error(c->m, ERROR_RUNTIME,
                           "tensor.mT is only supported on matrices or batches of matrices. Got "
                           "%u-D tensor.",
                           n);
    if (kind == 2 && n > 2)
        return exchanged(c->m, t, n, n - 2, n - 1, "TransposeBackward0", ret);
    for (unsigned axis = 0; axis < n; axis++)
        order[axis] = (ptrdiff_t)(n - 1 - axis);
    return permuted(c->m, t, order, n,
                    kind == 0   ? "TBackward0"
                    : kind == 2 ? "TransposeBackward0"
                                : "PermuteBackward0",
                    ret);
}

TORCH(run_permute)
{
    int64_t wholes[TENSOR_MAX_AXES];
    ptrdiff_t order[TENSOR_MAX_AXES];
    unsigned n, seen = 0;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    const struct value *values = given(c, 1) ? &c->args[1] : c->rest;
    if (node == NULL ||
        !read_wholes(c->m, "permute", values, given(c, 1) ? 1 : c->n_rest, wholes, &n))
        return false;
    unsigned n_axes = shown_axes(t, node);
    if (n != n_axes)
        return raise_error(
            c->m, ERROR_RUNTIME,
            "permute(sparse_coo): number of dimensions in the tensor input does not "
            "match the length of the desired ordering of dimensions i.e. input.dim() "
            "= %u is not equal to len(dims) = %u",
            n_axes, n);
    for (unsigned i = 0; i < n; i++) {
        unsigned axis;
        if (!read_dim(c->m, value_int(wholes[i]), n_axes, &axis))
            return false;
        if (seen >> axis & 1U)
            return raise_error(c->m, ERROR_RUNTIME, "permute(): duplicate dims are not allowed.");
        seen |= 1U << axis;
        order[i] = (ptrdiff_t)axis;
    }
    if (node->value.n_axes > n)
        order[n] = (ptrdiff_t)n;
    return permuted(c->m, t, order, node->value.n_axes, "PermuteBackward0", ret);
}

/* movedim(x, source, destination) of one axis each */
TORCH(run_movedim)
{
    unsigned from, to, next = 0;
    ptrdiff_t order[TENSOR_MAX_AXES];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !not_complex(c->m, t, "movedim") ||
        !native_dim(c, 1, node->value.n_axes, 0, &from) ||
        !native_dim(c, 2, node->value.n_axes, 0, &to))
        return false;
    for (unsigned axis = 0; axis < node->value.n_axes; axis++) {
        next += next == from;
        order[axis] = (ptrdiff_t)(axis == to ? from : next++);
    }
    return permuted(c->m, t, order, node->value.n_axes, "PermuteBackward0", ret);
}

static void copy_shape(const struct tensor *x, ptrdiff_t *ret)
{
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        ret[axis] = (ptrdiff_t)x->shape[axis];
}

TORCH(run_unsqueeze)
{
    unsigned at;
    ptrdiff_t shape[TENSOR_MAX_AXES + 1];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !native_dim(c, 1, shown_axes(t, node) + 1, 0, &at))
        return false;
    unsigned n = node->value.n_axes;
    if (n == TENSOR_MAX_AXES)
        return raise_error(c->m, ERROR_RUNTIME, "tensors have up to %d axes in attn",
                           TENSOR_MAX_AXES);
    copy_shape(&node->value, shape);
    memmove(shape + at + 1, shape + at, (n - at) * sizeof *shape);
    shape[at] = 1;
    return tensor_make_view(c->m, t, OP_RESHAPE, n + 1, shape, row_of(c)->grad_name, ret);
}

TORCH(run_squeeze)
{
    unsigned axes, n = 0;
    ptrdiff_t shape[TENSOR_MAX_AXES];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !native_dims(c, 1, shown_axes(t, node), &axes))
        return false;
    for (unsigned axis = 0; axis < node->value.n_axes; axis++) {
        bool is_part = axis >= shown_axes(t, node);
        if (is_part || node->value.shape[axis] != 1 || (given(c, 1) && !(axes >> axis & 1U)))
            shape[n++] = (ptrdiff_t)node->value.shape[axis];
    }
    return tensor_make_view(c->m, t, OP_RESHAPE, n, shape,
                            given(c, 1) ? "SqueezeBackward1" : "SqueezeBackward0", ret);
}

TORCH(run_flatten)
{
    unsigned first, last, n = 0;
    ptrdiff_t shape[TENSOR_MAX_AXES];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !native_dim(c, 1, shown_axes(t, node), 0, &first) ||
        !native_dim(c, 2, shown_axes(t, node), -1, &last))
        return false;
    if (first > last)
        return raise_error(c->m, ERROR_RUNTIME,
                           "flatten() has invalid args: start_dim cannot come after end_dim");
    for (unsigned axis = 0; axis < node->value.n_axes; axis++)
        if (axis > first && axis <= last)
            shape[n - 1] *= (ptrdiff_t)node->value.shape[axis];
        else
            shape[n++] = (ptrdiff_t)node->value.shape[axis];
    if (node->value.n_axes == 0)
        shape[n++] = 1;
    return reshaped(c->m, t, n, shape, "ViewBackward0", ret);
}

/* unflatten(x, dim, sizes) */
TORCH(run_unflatten)
{
    unsigned at, n;
    int64_t wholes[TENSOR_MAX_AXES];
    ptrdiff_t shape[2 * TENSOR_MAX_AXES], sizes[TENSOR_MAX_AXES];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !native_dim(c, 1, shown_axes(t, node), 0, &at) ||
        !read_wholes(c->m, "unflatten", &c->args[2], 1, wholes, &n) ||
        !infer_shape(c->m, node->value.shape[at], wholes, n, sizes))
        return false;
    unsigned n_axes = node->value.n_axes;
    if (n_axes - 1 + n > TENSOR_MAX_AXES)
        return raise_error(c->m, ERROR_RUNTIME, "tensors have up to %d axes in attn",
                           TENSOR_MAX_AXES);
    copy_shape(&node->value, shape);
    memmove(shape + at + n, shape + at + 1, (n_axes - at - 1) * sizeof *shape);
    memcpy(shape + at, sizes, n * sizeof *shape);
    return reshaped(c->m, t, n_axes - 1 + n, shape, "ViewBackward0", ret);
}

/* expand(x, *sizes): -1 keeps an axis */
TORCH(run_expand)
{
    int64_t wholes[TENSOR_MAX_AXES];
    ptrdiff_t shape[TENSOR_MAX_AXES];
    unsigned n;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    const struct value *values = given(c, 1) ? &c->args[1] : c->rest;
    if (node == NULL || !not_complex(c->m, t, "expand") ||
        !read_wholes(c->m, c->native->name, values, given(c, 1) ? 1 : c->n_rest, wholes, &n))
        return false;
    unsigned own = node->value.n_axes;
    struct text wanted = {0}, from = {0};
    for (unsigned i = 0; i < n; i++)
        text_format(&wanted, "%s%lld", i ? ", " : "", (long long)wholes[i]);
    tensor_write_shape(&node->value, &from);
    bool ok =
        n >= own ||
        raise_error(c->m, ERROR_RUNTIME,
                    "expand(CPU%sType{%s}, size=[%s]): the number of sizes provided "
                    "(%u) must be greater or equal to the number of dimensions in the tensor "
                    "(%u)",
                    dtypes[t->dtype].scalar, text_string(&from), text_string(&wanted), n, own);
    for (unsigned i = 0; ok && i < n; i++) {
        bool is_own = i + own >= n;
        size_t size = is_own ? node->value.shape[i + own - n] : 1;
        if (wholes[i] == -1 && !is_own)
            ok = raise_error(c->m, ERROR_RUNTIME,
                             "The expanded size of the tensor (-1) isn't allowed in a leading, "
                             "non-existing dimension %u",
                             i);
        else if (wholes[i] != -1 && size != 1 && (int64_t)size != wholes[i])
            ok = raise_error(c->m, ERROR_RUNTIME,
                             "The expanded size of the tensor (%lld) must match the existing size "
                             "(%zu) at non-singleton dimension %u.  Target sizes: [%s].  Tensor "
                             "sizes: %s",
                             (long long)wholes[i], size, i, text_string(&wanted),
                             text_string(&from));
        shape[i] = wholes[i] == -1 ? (ptrdiff_t)size : (ptrdiff_t)wholes[i];
    }
    text_release(&wanted);
    text_release(&from);
    return ok && tensor_make_view(c->m, t, OP_EXPAND, n, shape, "ExpandBackward0", ret);
}

TORCH(run_expand_as)
{
    ptrdiff_t shape[TENSOR_MAX_AXES];
    struct tensor_thing *t = native_tensor(c, 0), *other = t ? native_tensor(c, 1) : NULL;
    struct node *like = other ? tensor_node(c->m, other) : NULL;
    if (like == NULL)
        return false;
    copy_shape(&like->value, shape);
    return tensor_make_view(c->m, t, OP_EXPAND, like->value.n_axes, shape, "ExpandBackward0", ret);
}

/* count positions of an axis from start, as a view */
static bool narrowed(struct machine *m, struct tensor_thing *t, unsigned axis, size_t start,
                     ptrdiff_t count, const char *grad_name, struct value *ret)
{
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    struct node *node = tensor_node(m, t);
    if (node == NULL)
        return false;
    for (unsigned i = 0; i < node->value.n_axes; i++) {
        cuts[3 * i] = i == axis ? (ptrdiff_t)start : 0;
        cuts[3 * i + 1] = i == axis ? count : (ptrdiff_t)node->value.shape[i];
        cuts[3 * i + 2] = 1;
    }
    return tensor_make_view(m, t, OP_SLICE, 3 * (size_t)node->value.n_axes, cuts, grad_name, ret);
}

/* narrow(x, dim, start, length); select(x, dim, index): kind 1 */
TORCH(run_narrow)
{
    unsigned axis;
    int64_t start, length = 1;
    bool selects = row_of(c)->kind != 0;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !native_dim(c, 1, shown_axes(t, node), 0, &axis) ||
        !native_whole(c, 2, 0, &start) || (!selects && !native_whole(c, 3, 1, &length)))
        return false;
    int64_t n = node->value.n_axes > 0 ? (int64_t)node->value.shape[axis] : 0;
    if (selects && (start < -n || start >= n))
        return raise_error(c->m, ERROR_INDEX,
                           "select(): index %lld out of range for tensor of size [%lld] at "
                           "dimension %u",
                           (long long)start, (long long)n, axis);
    start += start < 0 ? n : 0;
    if (start < 0 || length < 0 || start + length > n)
        return raise_error(c->m, ERROR_RUNTIME,
                           "start (%lld) + length (%lld) exceeds dimension size (%lld).",
                           (long long)start, (long long)length, (long long)n);
    return narrowed(c->m, t, axis, (size_t)start, selects ? -1 : (ptrdiff_t)length,
                    row_of(c)->grad_name, ret);
}

/* ---- parts ---- */

static bool raise_split(struct machine *m, struct array *sizes, size_t length, unsigned axis)
{
    struct text said = {0};
    if (sizes != NULL && !value_repr(m, value_thing(sizes), &said)) {
        text_release(&said);
        return false;
    }
    raise_error(
        m, ERROR_RUNTIME,
        "split_with_sizes expects split_sizes to sum exactly to %zu (input tensor's size at "
        "dimension %u), but got split_sizes=%s",
        length, axis, text_string(&said));
    text_release(&said);
    return false;
}

/* split(x, size or sizes, dim=0), chunk(x, n, dim=0), unbind(x, dim=0): kinds 0, 1, 2 */
TORCH(run_split)
{
    int kind = row_of(c)->kind;
    unsigned axis, n = 0;
    int64_t size = 1;
    size_t n_chunks = 1;
    struct array *sizes = NULL;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !not_complex(c->m, t, c->native->name) ||
        !native_dim(c, kind == 2 ? 1 : 2, node->value.n_axes, 0, &axis))
        return false;
    if (node->value.n_axes == 0)
        return raise_error(c->m, ERROR_RUNTIME, "%s expects at least a 1-dimensional tensor",
                           c->native->name);
    size_t length = node->value.shape[axis];
    bool is_list = value_is(c->args[1], THING_LIST) || value_is(c->args[1], THING_TUPLE);
    if (kind == 0 && is_list) {
        if (!value_to_array(c->m, c->args[1], &sizes))
            return false;
    } else if (kind != 2) {
        if (!native_whole(c, 1, 1, &size))
            return false;
        if (size <= 0)
            return raise_error(c->m, ERROR_RUNTIME,
                               kind == 0 ? "split expects split_size be non-negative, but got "
                                           "split_size=%lld"
                                         : "chunk expects `chunks` to be greater than 0, got: %lld",
                               (long long)size);
        n_chunks = (size_t)size;
        if (kind == 1)
            size = (int64_t)((length + (size_t)size - 1) / (size_t)size);
        size = size > 0 ? size : 1;
    }
    size_t count = sizes != NULL ? sizes->n : (length + (size_t)size - 1) / (size_t)size;
    if (length == 0 && sizes == NULL && kind != 2) /* parts of nothing */
        count = kind == 1 ? n_chunks : 1;
    struct tuple *parts = tuple_new(&c->m->things, count);
    bool ok = parts != NULL || raise_memory(c->m);
    size_t at = 0;
    for (; ok && n < count; n++) {
        int64_t part = size;
        if (sizes != NULL)
            ok = value_whole(c->m, sizes->items[n], &part);
        else if (at + (size_t)part > length)
            part = (int64_t)(length - at);
        if (ok && (part < 0 || at + (size_t)part > length))
            ok = raise_split(c->m, sizes, length, axis);
        ok = ok && narrowed(c->m, t, axis, at, kind == 2 ? -1 : (ptrdiff_t)part,
                            row_of(c)->grad_name, &parts->items[n]);
        at += (size_t)part;
    }
    if (ok && sizes != NULL && at != length)
        ok = raise_split(c->m, sizes, length, axis);
    value_drop(value_thing(sizes));
    if (!ok) {
        value_drop(value_thing(parts));
        return false;
    }
    *ret = value_thing(parts);
    return true;
}

/* ---- joined ---- */

static bool cat_fits(struct machine *m, const struct node *first, const struct node *part,
                     unsigned axis, size_t which)
{
    if (part->value.n_axes != first->value.n_axes)
        return raise_error(m, ERROR_RUNTIME,
                           "Tensors must have same number of dimensions: got %u and %u",
                           first->value.n_axes, part->value.n_axes);
    for (unsigned i = 0; i < first->value.n_axes; i++)
        if (i != axis && first->value.shape[i] != part->value.shape[i])
            return raise_error(m, ERROR_RUNTIME,
                               "Sizes of tensors must match except in dimension %u. Expected size "
                               "%zu but got size %zu for tensor number %zu in the list.",
                               axis, first->value.shape[i], part->value.shape[i], which);
    return true;
}

static bool stack_fits(struct machine *m, const struct node *first, const struct node *part,
                       size_t which)
{
    if (tensor_same_shape(&first->value, &part->value))
        return true;
    struct text a = {0}, b = {0};
    tensor_write_shape(&first->value, &a);
    tensor_write_shape(&part->value, &b);
    raise_error(m, ERROR_RUNTIME,
                "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry "
                "%zu",
                text_string(&a), text_string(&b), which);
    text_release(&a);
    text_release(&b);
    return false;
}

static bool is_nothing(const struct node *node)
{
    return node->value.n_axes == 1 && node->value.shape[0] == 0;
}

/* cat(tensors, dim=0); stack: kind 1 */
TORCH(run_cat)
{
    struct work work;
    bool stacks = row_of(c)->kind != 0, ok = true;
    struct array *list = NULL;
    size_t n = 0;
    unsigned axis = 0;
    enum dtype dtype = DTYPE_BOOL;
    if (is_tensor(c->args[0]))
        return raise_error(c->m, ERROR_TYPE,
                           "%s(): argument 'tensors' (position 1) must be tuple of Tensors, not "
                           "Tensor",
                           c->native->name);
    if (!native_tensors(c, 0, &list))
        return false;
    for (size_t i = 0; ok && !stacks && i < list->n; i++) {
        struct node *x = tensor_node(c->m, as_tensor(list->items[i]));
        ok = x != NULL && (x->value.n_axes > 0 ||
                           raise_error(c->m, ERROR_RUNTIME,
                                       "zero-dimensional tensor (at position %zu) cannot be "
                                       "concatenated",
                                       i));
    }
    work_begin(&work, c->m);
    struct node **parts = calloc(list->n + 1, sizeof *parts), *first = NULL, *made = NULL;
    if (parts == NULL)
        ok = raise_memory(c->m);
    if (ok && list->n == 0)
        ok = raise_error(c->m, ERROR_RUNTIME,
                         stacks ? "stack expects a non-empty TensorList"
                                : "torch.cat(): expected a non-empty list of Tensors");
    for (size_t i = 0; ok && i < list->n; i++) {
        struct tensor_thing *t = as_tensor(list->items[i]);
        struct node *x = work_tensor(&work, t);
        ok = x != NULL && not_complex(c->m, t, c->native->name);
        dtype = i == 0 ? t->dtype : dtype_join(dtype, t->dtype);
        if (!ok || (!stacks && is_nothing(x) && list->n > 1))
            continue;
        if (first == NULL) {
            first = x;
            ok = native_dim(c, 1, x->value.n_axes + stacks, 0, &axis);
            if (ok && stacks && x->value.n_axes == TENSOR_MAX_AXES)
                ok = raise_error(c->m, ERROR_RUNTIME, "tensors have up to %d axes in attn",
                                 TENSOR_MAX_AXES);
        }
        ok = ok && (stacks ? stack_fits(c->m, first, x, i) : cat_fits(c->m, first, x, axis, i));
        parts[n++] = x;
    }
    for (size_t i = 0; ok && i < n; i++) {
        struct node *x = work_cast(&work, parts[i], dtype, dtype);
        if (stacks && x != NULL) {
            size_t shape[TENSOR_MAX_AXES];
            unsigned n_axes = x->value.n_axes;
            memcpy(shape, x->value.shape, axis * sizeof *shape);
            shape[axis] = 1;
            memcpy(shape + axis + 1, x->value.shape + axis, (n_axes - axis) * sizeof *shape);
            x = build_reshape(&work.b, x, n_axes + 1, shape);
        }
        parts[i] = x;
    }
    if (ok && n > 0)
        made = build_many(&work.b, OP_CAT, (unsigned)n, parts, 1, &(ptrdiff_t){axis});
    else if (ok)
        made = work_tensor(&work, as_tensor(list->items[0]));
    free(parts);
    value_drop(value_thing(list));
    return ok ? work_end(&work, made, dtype, row_of(c)->grad_name, ret) : work_stop(&work, false);
}

/* repeat(x, *times) */
TORCH(run_repeat)
{
    int64_t wholes[TENSOR_MAX_AXES];
    size_t shape[TENSOR_MAX_AXES];
    unsigned n;
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    const struct value *values = given(c, 1) ? &c->args[1] : c->rest;
    if (now == NULL || !not_complex(c->m, t, c->native->name) ||
        !read_wholes(c->m, c->native->name, values, given(c, 1) ? 1 : c->n_rest, wholes, &n))
        return false;
    unsigned own = now->value.n_axes;
    bool tiles = row_of(c)->kind != 0; /* tile: times stand at the right */
    if (n < own && !tiles)
        return raise_error(c->m, ERROR_RUNTIME,
                           "Number of dimensions of repeat dims can not be smaller than number of "
                           "dimensions of tensor");
    if (n < own) {
        memmove(wholes + (own - n), wholes, n * sizeof *wholes);
        for (unsigned i = 0; i < own - n; i++)
            wholes[i] = 1;
        n = own;
    }
    size_t total = 1;
    for (unsigned i = 0; i < n; i++) {
        size_t size = i + own >= n ? now->value.shape[i + own - n] : 1;
        if (wholes[i] < 0)
            return raise_error(c->m, ERROR_RUNTIME,
                               "Trying to create tensor with negative dimension %lld",
                               (long long)(wholes[i] * (int64_t)size));
        shape[i] = size * (size_t)wholes[i];
        total = shape[i] > TENSOR_MAX_SIZE || total > TENSOR_MAX_SIZE ? SIZE_MAX : total * shape[i];
    }
    if (total > TENSOR_MAX_SIZE)
        return raise_error(c->m, ERROR_RUNTIME, "%s(): too many numbers", c->native->name);
    ptrdiff_t *from = malloc((total + 1) * sizeof *from);
    if (from == NULL)
        return raise_memory(c->m);
    struct tensor made = {.n_axes = n};
    memcpy(made.shape, shape, n * sizeof *shape);
    for (size_t i = 0; i < total; i++) {
        size_t index[TENSOR_MAX_AXES], at[TENSOR_MAX_AXES];
        tensor_index_of(&made, i, index);
        for (unsigned axis = 0; axis < own; axis++)
            at[axis] = index[axis + n - own] % now->value.shape[axis];
        from[i] = (ptrdiff_t)tensor_position_of(&now->value, at);
    }
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    x = work_pick(&work, x, n, shape, from, total);
    free(from);
    return work_end(&work, x, t->dtype, row_of(c)->grad_name, ret);
}

/* The axis of x by positions of it: rows, as flip, roll and index_select take them. */
static bool taken(struct native_call *c, struct tensor_thing *t, unsigned axis, struct tensor *at,
                  const char *grad_name, struct value *ret)
{
    struct work work;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    struct node *ids = build_input(&work.b, at, "positions");
    struct node *parents[2] = {x, ids};
    struct node *made = x ? build_many(&work.b, OP_TAKE, 2, parents, 1, &(ptrdiff_t){axis}) : NULL;
    return work_end(&work, made, t->dtype, grad_name, ret);
}

/* repeat_interleave(x, repeats, dim=None) */
TORCH(run_repeat_interleave)
{
    struct error error = {0};
    struct value flat = value_absent();
    struct tensor at;
    unsigned axis = 0;
    int64_t times = 0;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    struct node *counts = NULL;
    if (now == NULL || (given(c, 2) && !native_dim(c, 2, now->value.n_axes, 0, &axis)))
        return false;
    if (is_tensor(c->args[1])) {
        counts = tensor_node(c->m, as_tensor(c->args[1]));
        if (counts == NULL)
            return false;
    } else if (!native_whole(c, 1, 1, &times)) {
        return false;
    }
    if (!given(c, 2)) {
        ptrdiff_t size = (ptrdiff_t)tensor_size(&now->value);
        if (!reshaped(c->m, t, 1, &size, "ViewBackward0", &flat))
            return false;
        t = as_tensor(flat);
        now = tensor_node(c->m, t);
    }
    size_t length = now != NULL ? now->value.shape[axis] : 0, total = 0, next = 0;
    size_t n_counts = counts ? tensor_size(&counts->value) : 1;
    bool ok = now != NULL && (n_counts == length || n_counts == 1 ||
                              raise_error(c->m, ERROR_RUNTIME,
                                          "repeats must have the same size as input along dim"));
    for (int pass = 0; ok && pass < 2; pass++) {
        for (size_t i = 0; ok && i < length; i++) {
            double n = counts != NULL
                           ? (double)tensor_at_position(&counts->value, n_counts == 1 ? 0 : i)
                           : (double)times;
            if (!(n >= 0) || n > TENSOR_MAX_SIZE)
                ok = raise_error(c->m, ERROR_RUNTIME, "repeats can not be negative");
            for (size_t k = 0; ok && pass == 1 && k < (size_t)n; k++)
                at.data[next++] = (float)i;
            total += pass == 0 && ok ? (size_t)n : 0;
        }
        if (ok && pass == 0)
            ok = tensor_empty(1, &total, &at, &error) || raise_graph_error(c->m, &error);
    }
    ok = ok && taken(c, t, axis, &at, "IndexSelectBackward0", ret);
    value_drop(flat);
    return ok;
}

/* flip(x, dims) */
TORCH(run_flip)
{
    unsigned axes = 0, axis;
    struct work work;
    ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
    int64_t dims[TENSOR_MAX_AXES];
    unsigned n;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    const struct value *values = given(c, 1) ? &c->args[1] : c->rest;
    if (now == NULL || !not_complex(c->m, t, "flip") ||
        !read_wholes(c->m, "flip", values, given(c, 1) ? 1 : c->n_rest, dims, &n))
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (!read_dim(c->m, value_int(dims[i]), now->value.n_axes, &axis))
            return false;
        axes |= 1U << axis;
    }
    for (unsigned i = 0; i < now->value.n_axes; i++) {
        bool turned = (axes >> i & 1U) && now->value.shape[i] > 0;
        cuts[3 * i] = turned ? (ptrdiff_t)now->value.shape[i] - 1 : 0;
        cuts[3 * i + 1] = (ptrdiff_t)now->value.shape[i];
        cuts[3 * i + 2] = turned ? -1 : 1;
    }
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    if (x != NULL)
        x = build_ints(&work.b, OP_SLICE, x, 3 * (size_t)x->value.n_axes, cuts, 0);
    return work_end(&work, x, t->dtype, "FlipBackward0", ret);
}

/* roll(x, shifts, dims=None) */
TORCH(run_roll)
{
    int64_t shifts[TENSOR_MAX_AXES], dims[TENSOR_MAX_AXES];
    unsigned n_shifts, n_dims = 0;
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !not_complex(c->m, t, "roll") ||
        !read_wholes(c->m, "roll", &c->args[1], 1, shifts, &n_shifts) ||
        (given(c, 2) && !read_wholes(c->m, "roll", &c->args[2], 1, dims, &n_dims)))
        return false;
    if (given(c, 2) ? n_dims != n_shifts : n_shifts != 1)
        return raise_error(c->m, ERROR_RUNTIME,
                           "shifts and dimensions must align. shifts: %u, dims:%u", n_shifts,
                           n_dims);
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    const struct tensor like = now->value;
    if (x != NULL && !given(c, 2))
        x = build_reshape(&work.b, x, 1, (size_t[]){tensor_size(&like)});
    for (unsigned i = 0; x != NULL && i < n_shifts; i++) {
        unsigned axis = 0;
        if (given(c, 2) && !read_dim(c->m, value_int(dims[i]), like.n_axes, &axis))
            return work_stop(&work, false);
        int64_t n = (int64_t)x->value.shape[axis];
        size_t by = n > 0 ? (size_t)(((shifts[i] % n) + n) % n) : 0;
        if (by == 0)
            continue;
        struct node *parts[2] = {build_slice(&work.b, x, axis, (size_t)n - by, by),
                                 build_slice(&work.b, x, axis, 0, (size_t)n - by)};
        x = build_many(&work.b, OP_CAT, 2, parts, 1, &(ptrdiff_t){axis});
    }
    if (x != NULL && !given(c, 2))
        x = build_reshape(&work.b, x, like.n_axes, like.shape);
    return work_end(&work, x, t->dtype, "RollBackward0", ret);
}

/* ---- by positions ---- */

static bool wants_whole(struct machine *m, const char *name, const struct tensor_thing *t)
{
    return dtypes[t->dtype].category == CATEGORY_WHOLE ||
           raise_error(m, ERROR_RUNTIME, "%s(): Expected dtype int32/int64 for index", name);
}

/* index_select(x, dim, index) */
TORCH(run_index_select)
{
    unsigned axis;
    struct tensor_thing *t = native_tensor(c, 0), *index = t ? native_tensor(c, 2) : NULL;
    struct node *now = index ? tensor_node(c->m, t) : NULL;
    struct node *ids = now ? tensor_node(c->m, index) : NULL;
    if (ids == NULL || !native_dim(c, 1, now->value.n_axes, 0, &axis) ||
        !wants_whole(c->m, "index_select", index))
        return false;
    size_t n = tensor_size(&ids->value);
    for (size_t i = 0; i < n; i++) {
        float at = tensor_at_position(&ids->value, i);
        if (at < 0 || at >= (float)now->value.shape[axis])
            return raise_error(c->m, ERROR_INDEX, "index out of range in self");
    }
    struct tensor at = tensor_share(&ids->value);
    return taken(c, t, axis, &at, "IndexSelectBackward0", ret);
}

/* Positions in x of what an index names along an axis: as gather and scatter read it. */
static ptrdiff_t *positions_along(struct machine *m, const char *name, const struct tensor *x,
                                  unsigned axis, const struct tensor *index)
{
    size_t n = tensor_size(index);
    ptrdiff_t *from = malloc((n + 1) * sizeof *from);
    if (from == NULL) {
        raise_memory(m);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        size_t at[TENSOR_MAX_AXES] = {0};
        tensor_index_of(index, i, at);
        float where = tensor_at_position(index, i);
        size_t length = x->n_axes > 0 ? x->shape[axis] : 1;
        if (!(where >= 0 && where < (float)length)) {
            free(from);
            raise_error(m, ERROR_RUNTIME,
                        "index %.0f is out of bounds for dimension %u with size %zu", (double)where,
                        axis, length);
            return NULL;
        }
        at[axis] = (size_t)where;
        from[i] = (ptrdiff_t)tensor_position_of(x, at);
    }
    (void)name;
    return from;
}

static bool index_fits(struct machine *m, const char *name, const struct tensor *x, unsigned axis,
                       const struct tensor *index)
{
    bool fits = x->n_axes == index->n_axes;
    if (!fits)
        return raise_error(m, ERROR_RUNTIME,
                           "Index tensor must have the same number of dimensions as input tensor");
    for (unsigned i = 0; i < x->n_axes; i++)
        fits = fits && (i == axis || index->shape[i] <= x->shape[i]);
    if (fits)
        return true;
    struct text a = {0}, b = {0};
    tensor_write_shape(x, &a);
    tensor_write_shape(index, &b);
    raise_error(m, ERROR_RUNTIME,
                strcmp(name, "gather") == 0
                    ? "Size does not match at dimension %u expected index %s to be smaller than "
                      "self %s apart from dimension %u"
                    : "Expected index at dimension %u: %s to be smaller than self %s apart from "
                      "dimension %u",
                axis == 0 ? 1U : 0U, text_string(&b), text_string(&a), axis);
    text_release(&a);
    text_release(&b);
    return false;
}

/* gather(x, dim, index) */
TORCH(run_gather)
{
    unsigned axis;
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0), *index = t ? native_tensor(c, 2) : NULL;
    struct node *now = index ? tensor_node(c->m, t) : NULL;
    struct node *ids = now ? tensor_node(c->m, index) : NULL;
    if (ids == NULL || !native_dim(c, 1, now->value.n_axes, 0, &axis))
        return false;
    if (index->dtype != DTYPE_INT64)
        return raise_error(c->m, ERROR_RUNTIME, "gather(): Expected dtype int64 for index");
    if (!index_fits(c->m, "gather", &now->value, axis, &ids->value))
        return false;
    ptrdiff_t *from = positions_along(c->m, "gather", &now->value, axis, &ids->value);
    if (from == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *x = work_pick(&work, work_tensor(&work, t), ids->value.n_axes, ids->value.shape,
                               from, tensor_size(&ids->value));
    free(from);
    return work_end(&work, x, t->dtype, "GatherBackward0", ret);
}

/* x.scatter(dim, index, src), scatter_add; with _ in place: kind 1 adds */
static bool scattered(struct native_call *c, struct tensor_thing *t, bool adds, struct value *ret)
{
    unsigned axis;
    struct work work;
    struct tensor_thing *index = native_tensor(c, 2);
    struct node *now = index ? tensor_node(c->m, t) : NULL;
    struct node *ids = now ? tensor_node(c->m, index) : NULL;
    struct value source = given(c, 3) ? c->args[3] : c->args[4];
    if (ids == NULL || !native_dim(c, 1, now->value.n_axes, 0, &axis) ||
        !index_fits(c->m, "scatter", &now->value, axis, &ids->value))
        return false;
    size_t n = tensor_size(&ids->value);
    ptrdiff_t *to = positions_along(c->m, "scatter", &now->value, axis, &ids->value);
    if (to == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *value = work_operand(&work, source);
    value = value ? work_cast(&work, value, is_tensor(source) ? as_tensor(source)->dtype : t->dtype,
                              t->dtype)
                  : NULL;
    bool ok = value != NULL;
    if (ok && value->value.n_axes > 0) { /* the corner of the source that the index has */
        ptrdiff_t cuts[3 * TENSOR_MAX_AXES];
        for (unsigned i = 0; ok && i < ids->value.n_axes; i++) {
            cuts[3 * i] = 0;
            cuts[3 * i + 1] = (ptrdiff_t)ids->value.shape[i];
            cuts[3 * i + 2] = 1;
            ok = value->value.n_axes == ids->value.n_axes &&
                 value->value.shape[i] >= ids->value.shape[i];
        }
        if (!ok)
            raise_error(c->m, ERROR_RUNTIME,
                        "Expected index to be smaller than src apart from the dimension that is "
                        "scattered");
        value = ok ? build_ints(&work.b, OP_SLICE, value, 3 * (size_t)ids->value.n_axes, cuts, 0)
                   : NULL;
        ok = value != NULL;
    }
    struct value copy = value_absent();
    if (ok && adds) {
        unsigned n_axes = now->value.n_axes;
        ptrdiff_t *ints = malloc((1 + n_axes + n) * sizeof *ints);
        ok = ints != NULL || raise_memory(c->m);
        if (ok) {
            ints[0] = n_axes;
            for (unsigned i = 0; i < n_axes; i++)
                ints[1 + i] = (ptrdiff_t)now->value.shape[i];
            memcpy(ints + 1 + n_axes, to, n * sizeof *ints);
            struct node *spread = build_ints(&work.b, OP_UNPICK, value, 1 + n_axes + n, ints, 0);
            struct node *x = work_tensor(&work, t);
            value = build2(&work.b, OP_ADD, x, spread);
        }
        free(ints);
        free(to);
        return ok ? work_end(&work, value, t->dtype, "ScatterAddBackward0", ret)
                  : work_stop(&work, false);
    }
    ok = ok &&
         tensor_make(c->m, node_share(now), t->dtype,
                     tensor_tracks(t) && !c->m->torch->no_grad ? "CloneBackward0" : NULL, &copy) &&
         tensor_write_at(c->m, as_tensor(copy), (const size_t *)to, n, value, work.tracks,
                         "ScatterBackward0");
    free(to);
    ok = work_stop(&work, ok);
    if (ok)
        *ret = copy;
    else
        value_drop(copy);
    return ok;
}

TORCH(run_scatter)
{
    struct tensor_thing *t = native_tensor(c, 0);
    return t != NULL && scattered(c, t, row_of(c)->kind != 0, ret);
}

/* index_add(x, dim, index, source) */
TORCH(run_index_add)
{
    unsigned axis;
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0), *index = t ? native_tensor(c, 2) : NULL;
    struct tensor_thing *source = index ? native_tensor(c, 3) : NULL;
    struct node *now = source ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_dim(c, 1, now->value.n_axes, 0, &axis))
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t), *ids = work_tensor(&work, index);
    struct node *d = work_tensor(&work, source);
    if (d == NULL || x == NULL || ids == NULL)
        return work_stop(&work, false);
    size_t length = x->value.shape[axis], n = tensor_size(&ids->value);
    for (size_t i = 0; i < n; i++) {
        float at = tensor_at_position(&ids->value, i);
        if (at < 0 || at >= (float)length) {
            raise_error(c->m, ERROR_INDEX, "index out of range in self");
            return work_stop(&work, false);
        }
    }
    ptrdiff_t ints[2] = {(ptrdiff_t)length, (ptrdiff_t)axis};
    struct node *parents[2] = {d, ids};
    struct node *spread = build_many(&work.b, OP_UNTAKE, 2, parents, 2, ints);
    return work_end(&work, build2(&work.b, OP_ADD, x, spread), t->dtype, "IndexAddBackward0", ret);
}

/* masked_select(x, mask) */
TORCH(run_masked_select)
{
    struct tensor_thing *t = native_tensor(c, 0), *mask = t ? native_tensor(c, 1) : NULL;
    if (mask == NULL)
        return false;
    if (mask->dtype != DTYPE_BOOL)
        return raise_error(c->m, ERROR_RUNTIME,
                           "masked_select: expected BoolTensor or ByteTensor for mask");
    return tensor_index_get(c->m, t, c->args[1], ret);
}

/* tril(x, diagonal=0), triu */
TORCH(run_triangle)
{
    int64_t diagonal;
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL || !native_whole(c, 1, 0, &diagonal))
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    if (x != NULL && x->value.n_axes < 2) {
        raise_error(c->m, ERROR_RUNTIME, "%s: input tensor must have at least 2 dimensions",
                    c->native->name);
        return work_stop(&work, false);
    }
    ptrdiff_t ints[1] = {(ptrdiff_t)(diagonal > 1 << 20      ? 1 << 20
                                     : diagonal < -(1 << 20) ? -(1 << 20)
                                                             : diagonal)};
    x = x ? build_ints(&work.b, (enum op_kind)row_of(c)->kind, x, 1, ints, 0) : NULL;
    return work_end(&work, x, t->dtype, row_of(c)->grad_name, ret);
}

/* diag(x, diagonal=0): a vector becomes a matrix, a matrix gives its diagonal; diagonal(x, offset,
 * dim1, dim2) of any two axes, which go to the end: kind 1 */
TORCH(run_diagonal)
{
    int64_t offset;
    unsigned a = 0, b = 1;
    struct work work;
    bool is_general = row_of(c)->kind != 0;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL || !native_whole(c, 1, 0, &offset))
        return false;
    unsigned n_axes = now->value.n_axes;
    if (is_general && (!native_dim(c, 2, n_axes, 0, &a) || !native_dim(c, 3, n_axes, 1, &b)))
        return false;
    size_t away = (size_t)(offset < 0 ? -offset : offset);
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t), *made = NULL;
    if (x == NULL)
        return work_stop(&work, false);
    if (!is_general && n_axes == 1) {
        size_t n = x->value.shape[0], side = n + away;
        ptrdiff_t *ints = malloc((3 + n) * sizeof *ints);
        if (ints == NULL || side > 20000) {
            free(ints);
            raise_memory(c->m);
            return work_stop(&work, false);
        }
        ints[0] = 2;
        ints[1] = ints[2] = (ptrdiff_t)side;
        for (size_t i = 0; i < n; i++)
            ints[3 + i] = (ptrdiff_t)(offset >= 0 ? i * side + i + away : (i + away) * side + i);
        made = build_ints(&work.b, OP_UNPICK, x, 3 + n, ints, 0);
        free(ints);
        return work_end(&work, made, t->dtype, "DiagBackward0", ret);
    }
    if (n_axes < 2 || (!is_general && n_axes != 2) || a == b) {
        raise_error(c->m, ERROR_RUNTIME, "%s(): Supports 1D or 2D tensors. Got %uD",
                    c->native->name, n_axes);
        return work_stop(&work, false);
    }
    size_t rows = x->value.shape[a], columns = x->value.shape[b], shape[TENSOR_MAX_AXES];
    size_t first_row = offset < 0 ? away : 0, first_column = offset > 0 ? away : 0;
    size_t left = rows > first_row ? rows - first_row : 0;
    size_t right = columns > first_column ? columns - first_column : 0;
    unsigned n_kept = 0;
    for (unsigned axis = 0; axis < n_axes; axis++)
        if (axis != a && axis != b)
            shape[n_kept++] = x->value.shape[axis];
    shape[n_kept++] = left < right ? left : right;
    struct tensor like = {.n_axes = n_kept};
    memcpy(like.shape, shape, n_kept * sizeof *shape);
    size_t n = tensor_size(&like);
    ptrdiff_t *from = malloc((n + 1) * sizeof *from);
    if (from == NULL) {
        raise_memory(c->m);
        return work_stop(&work, false);
    }
    for (size_t i = 0; i < n; i++) {
        size_t index[TENSOR_MAX_AXES], at[TENSOR_MAX_AXES];
        tensor_index_of(&like, i, index);
        for (unsigned axis = 0, k = 0; axis < n_axes; axis++)
            if (axis != a && axis != b)
                at[axis] = index[k++];
        at[a] = index[n_kept - 1] + first_row;
        at[b] = index[n_kept - 1] + first_column;
        from[i] = (ptrdiff_t)tensor_position_of(&x->value, at);
    }
    made = work_pick(&work, x, n_kept, shape, from, n);
    free(from);
    return work_end(&work, made, t->dtype, is_general ? "DiagonalBackward0" : "DiagBackward0", ret);
}

/* meshgrid(*tensors, indexing="ij") */
TORCH(run_meshgrid)
{
    struct array *list = NULL;
    bool by_columns =
        c->args[0].kind == VALUE_STRING && strcmp(c->args[0].as.string->bytes, "xy") == 0;
    const struct value *items = c->rest;
    size_t n = c->n_rest;
    if (n == 1 && !is_tensor(items[0])) {
        if (!value_to_array(c->m, items[0], &list))
            return false;
        items = list->items;
        n = list->n;
    }
    struct tuple *made = n > 0 && n <= TENSOR_MAX_AXES ? tuple_new(&c->m->things, n) : NULL;
    size_t lengths[TENSOR_MAX_AXES];
    bool ok = made != NULL ||
              raise_error(c->m, ERROR_VALUE, "meshgrid expects 1 to %d tensors", TENSOR_MAX_AXES);
    for (size_t i = 0; ok && i < n; i++) {
        struct node *node = is_tensor(items[i]) ? tensor_node(c->m, as_tensor(items[i])) : NULL;
        ok = node != NULL || raise_error(c->m, ERROR_TYPE, "meshgrid expects tensors");
        if (ok)
            lengths[i] = tensor_size(&node->value);
    }
    for (size_t i = 0; ok && i < n; i++) {
        ptrdiff_t shape[TENSOR_MAX_AXES], full[TENSOR_MAX_AXES];
        struct value row;
        for (size_t k = 0; k < n; k++) {
            size_t axis = by_columns && k < 2 && n > 1 ? 1 - k : k;
            shape[axis] = k == i ? (ptrdiff_t)lengths[k] : 1;
            full[axis] = (ptrdiff_t)lengths[k];
        }
        ok = tensor_make_view(c->m, as_tensor(items[i]), OP_RESHAPE, n, shape, "ViewBackward0",
                              &row);
        if (!ok)
            break;
        ok = tensor_make_view(c->m, as_tensor(row), OP_EXPAND, n, full, "ExpandBackward0",
                              &made->items[i]);
        value_drop(row);
    }
    value_drop(value_thing(list));
    if (ok)
        *ret = value_thing(made);
    else
        value_drop(value_thing(made));
    return ok;
}

/* ---- the same numbers ---- */

/* clone(x) */
TORCH(run_clone)
{
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *x = work_tensor(&work, t);
    if (x != NULL && work.tracks)
        x = build1(&work.b, OP_CONTIGUOUS, x);
    return work_end(&work, x, t->dtype, "CloneBackward0", ret);
}

TORCH(run_contiguous)
{
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL)
        return false;
    if (!tensor_is_dense(&node->value))
        return run_clone(c, ret);
    *ret = value_take(c->args[0]);
    return true;
}

static bool converted(struct native_call *c, struct tensor_thing *t, enum dtype to,
                      struct value *ret)
{
    struct work work;
    if (t->dtype == to) {
        *ret = value_take(c->args[0]);
        return true;
    }
    if (t->dtype == DTYPE_COMPLEX64 || to == DTYPE_COMPLEX64)
        return raise_error(c->m, ERROR_NOT_IMPLEMENTED,
                           "attn converts no complex tensors; write torch.view_as_real(x)");
    tensor_note(c->m, to);
    work_begin(&work, c->m);
    struct node *x = work_cast(&work, work_tensor(&work, t), t->dtype, to);
    return work_end(&work, x, to, "ToCopyBackward0", ret);
}

/* x.float(), x.long(), ...: kind is the dtype */
TORCH(run_convert)
{
    struct tensor_thing *t = native_tensor(c, 0);
    return t != NULL && converted(c, t, (enum dtype)row_of(c)->kind, ret);
}

/* x.to(dtype), x.to(device), x.to(device, dtype), x.to(other), x.type(dtype) */
TORCH(run_to)
{
    int dtype;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    enum dtype to = t->dtype;
    for (size_t i = 0; i < c->n_rest; i++) {
        if (value_is(c->rest[i], THING_DTYPE))
            to = THING_AS(dtype_thing, c->rest[i])->dtype;
        else if (is_tensor(c->rest[i]))
            to = as_tensor(c->rest[i])->dtype;
    }
    return native_dtype(c, 1, (int)to, &dtype) && converted(c, t, (enum dtype)dtype, ret);
}

/* x.type(): a name */
TORCH(run_type)
{
    struct text text = {0};
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    if (given(c, 1)) {
        int dtype;
        return native_dtype(c, 1, (int)t->dtype, &dtype) && converted(c, t, (enum dtype)dtype, ret);
    }
    text_format(&text, "torch.%sTensor", dtypes[t->dtype].scalar);
    return text_to_str(c->m, &text, ret);
}

/* x.type_as(other) */
TORCH(run_type_as)
{
    struct tensor_thing *t = native_tensor(c, 0), *other = t ? native_tensor(c, 1) : NULL;
    return other != NULL && converted(c, t, other->dtype, ret);
}

/* x.cuda(), x.cpu(): there is one device. */
TORCH(run_same)
{
    *ret = value_take(c->args[0]);
    return true;
}

/* x.copy_(src) */
TORCH(run_copy)
{
    struct work work;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL)
        return false;
    work_begin(&work, c->m);
    struct node *value = work_operand(&work, c->args[1]);
    struct tensor view;
    if (value == NULL)
        return work_stop(&work, false);
    if (!tensor_broadcast(&value->value, now->value.n_axes, now->value.shape, &view, NULL)) {
        struct text a = {0}, b = {0};
        tensor_write_shape(&value->value, &a);
        tensor_write_shape(&now->value, &b);
        unsigned axis = now->value.n_axes;
        size_t own = 0;
        while (axis-- > 0 && now->value.n_axes - axis <= value->value.n_axes) {
            own = value->value.shape[value->value.n_axes - (now->value.n_axes - axis)];
            if (own != 1 && own != now->value.shape[axis])
                break;
        }
        if (value->value.n_axes > now->value.n_axes)
            raise_error(c->m, ERROR_RUNTIME,
                        "output with shape %s doesn't match the broadcast shape %s",
                        text_string(&b), text_string(&a));
        else
            raise_error(c->m, ERROR_RUNTIME,
                        "The size of tensor a (%zu) must match the size of tensor b (%zu) at "
                        "non-singleton dimension %u",
                        now->value.shape[axis], own, axis);
        text_release(&a);
        text_release(&b);
        return work_stop(&work, false);
    }
    tensor_release(&view);
    enum dtype from = is_tensor(c->args[1]) ? as_tensor(c->args[1])->dtype : t->dtype;
    ptrdiff_t shape[TENSOR_MAX_AXES];
    copy_shape(&now->value, shape);
    value = work_cast(&work, value, from, t->dtype);
    value = value ? build_ints(&work.b, OP_EXPAND, value, now->value.n_axes, shape, 0) : NULL;
    bool ok = value != NULL && tensor_check_whole(c->m, &value->value, t->dtype) &&
              tensor_write(c->m, t, value, work.tracks, "CopyBackwards");
    if (!work_stop(&work, ok))
        return false;
    *ret = value_take(c->args[0]);
    return true;
}

/* x.fill_(number); zero_: kind 1 */
TORCH(run_fill)
{
    struct work work;
    bool is_zero = row_of(c)->kind != 0;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *now = t ? tensor_node(c->m, t) : NULL;
    if (now == NULL)
        return false;
    struct value v = is_zero ? value_int(0) : c->args[1];
    ptrdiff_t shape[TENSOR_MAX_AXES];
    copy_shape(&now->value, shape);
    work_begin(&work, c->m);
    struct node *value = work_operand(&work, v);
    value = value ? work_cast(&work, value, is_tensor(v) ? as_tensor(v)->dtype : DTYPE_FLOAT32,
                              t->dtype)
                  : NULL;
    value = value ? build_ints(&work.b, OP_EXPAND, value, now->value.n_axes, shape, 0) : NULL;
    bool ok =
        value != NULL && tensor_check_whole(c->m, &value->value, t->dtype) &&
        tensor_write(c->m, t, value, work.tracks, is_zero ? "ZeroBackward0" : "FillBackward0");
    if (!work_stop(&work, ok))
        return false;
    *ret = value_take(c->args[0]);
    return true;
}

/* ---- what a tensor says of itself ---- */

static bool shape_of(struct machine *m, struct tensor_thing *t, struct tensor *ret)
{
    struct node *node = tensor_form(m, t);
    if (node == NULL)
        return false;
    *ret = node->value;
    ret->n_axes = shown_axes(t, node);
    return true;
}

/* x.size(), x.size(dim), x.shape */
TORCH(run_size)
{
    unsigned axis;
    struct tensor shape;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL || !shape_of(c->m, t, &shape))
        return false;
    if (!given(c, 1))
        return make_size(c->m, &shape, ret);
    if (!native_dim(c, 1, shape.n_axes, 0, &axis))
        return false;
    *ret = value_int((int64_t)shape.shape[axis]);
    return true;
}

enum { SAY_AXES, SAY_COUNT, SAY_DENSE, SAY_FLOAT, SAY_COMPLEX, SAY_BYTES, SAY_POINTER, SAY_FALSE };

TORCH(run_say)
{
    struct tensor shape;
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL || !shape_of(c->m, t, &shape))
        return false;
    static const int bytes[DTYPE_COUNT] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8};
    switch (row_of(c)->kind) {
    case SAY_AXES:
        *ret = value_int(shape.n_axes);
        break;
    case SAY_COUNT:
        *ret = value_int((int64_t)tensor_size(&shape));
        break;
    case SAY_DENSE:
        *ret = value_bool(tensor_is_dense(&tensor_node(c->m, t)->value));
        break;
    case SAY_FLOAT:
        *ret = value_bool(dtypes[t->dtype].category == CATEGORY_FLOAT);
        break;
    case SAY_COMPLEX:
        *ret = value_bool(t->dtype == DTYPE_COMPLEX64);
        break;
    case SAY_BYTES:
        *ret = value_int(bytes[t->dtype]);
        break;
    case SAY_POINTER: {
        /* The same number for tensors that share memory at the same place. */
        const struct place *root = t->place;
        while (root->of != NULL)
            root = root->of;
        struct node *node = tensor_node(c->m, t);
        *ret = value_int((int64_t)((uintptr_t)root & 0xFFFFFFFFFFFF) * 16 +
                         (int64_t)(node->value.data - root->node->value.data) * bytes[t->dtype]);
        break;
    }
    default:
        *ret = value_bool(false);
        break;
    }
    return true;
}

/* x.stride(), x.stride(dim) */
TORCH(run_stride)
{
    unsigned axis;
    struct value items[TENSOR_MAX_AXES];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL || !not_complex(c->m, t, "stride"))
        return false;
    for (unsigned i = 0; i < node->value.n_axes; i++)
        items[i] = value_int(node->value.stride[i]);
    if (!given(c, 1))
        return make_tuple(c->m, items, node->value.n_axes, ret);
    if (!native_dim(c, 1, node->value.n_axes, 0, &axis))
        return false;
    *ret = items[axis];
    return true;
}

TORCH(run_storage_offset)
{
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL)
        return false;
    const struct place *root = t->place;
    while (root->of != NULL)
        root = root->of;
    *ret = value_int((int64_t)(node->value.data - root->node->value.data));
    return true;
}

TORCH(run_item)
{
    struct tensor_thing *t = native_tensor(c, 0);
    return t != NULL && tensor_item(c->m, t, ret);
}

static bool list_of(struct machine *m, const struct tensor *x, enum dtype_category category,
                    unsigned axis, const float *at, struct value *ret)
{
    if (axis == x->n_axes) {
        *ret = category == CATEGORY_BOOL    ? value_bool(*at != 0)
               : category == CATEGORY_WHOLE ? value_int((int64_t)*at)
                                            : value_float((double)*at);
        return true;
    }
    struct array *list = array_new(&m->things, x->shape[axis]);
    bool ok = list != NULL || raise_memory(m);
    for (size_t i = 0; ok && i < x->shape[axis]; i++) {
        struct value item;
        ok = list_of(m, x, category, axis + 1, at + (ptrdiff_t)i * x->stride[axis], &item) &&
             (array_add(list, item) || raise_memory(m));
    }
    if (ok)
        *ret = value_thing(list);
    else
        value_drop(value_thing(list));
    return ok;
}

TORCH(run_tolist)
{
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    return node != NULL && not_complex(c->m, t, "tolist") &&
           list_of(c->m, &node->value, dtypes[t->dtype].category, 0, node->value.data, ret);
}

/* What x.device is, for all tensors: python/torch.py says it once. */
TORCH(run_set_device)
{
    value_put(&c->m->torch->device, value_take(c->args[0]));
    *ret = value_none();
    return true;
}

TORCH(run_device)
{
    *ret = value_take(c->m->torch->device);
    return true;
}

TORCH(run_dtype)
{
    struct tensor_thing *t = native_tensor(c, 0);
    if (t == NULL)
        return false;
    *ret = value_take(c->m->torch->dtypes[t->dtype]);
    return true;
}

/* ---- complex numbers, as far as rotations need them ---- */

/* view_as_complex(x): kind 1; view_as_real */
TORCH(run_view_as)
{
    bool to_complex = row_of(c)->kind != 0;
    ptrdiff_t shape[TENSOR_MAX_AXES];
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL)
        return false;
    unsigned n = node->value.n_axes;
    if (to_complex && (n == 0 || node->value.shape[n - 1] != 2))
        return raise_error(c->m, ERROR_RUNTIME, "Tensor must have a last dimension of size 2");
    if (!to_complex && t->dtype != DTYPE_COMPLEX64)
        return raise_error(c->m, ERROR_RUNTIME,
                           "view_as_real is only supported for complex "
                           "tensors");
    copy_shape(&node->value, shape);
    if (!tensor_make_view(c->m, t, OP_RESHAPE, n, shape, row_of(c)->grad_name, ret))
        return false;
    as_tensor(*ret)->dtype = to_complex ? DTYPE_COMPLEX64 : DTYPE_FLOAT32;
    return true;
}

/* polar(abs, angle), complex(real, imag): kind 1 */
TORCH(run_polar)
{
    struct work work;
    struct tensor_thing *a = native_tensor(c, 0), *b = a ? native_tensor(c, 1) : NULL;
    if (b == NULL)
        return false;
    work_begin(&work, c->m);
    struct builder *k = &work.b;
    struct node *x = work_tensor(&work, a), *y = x ? work_tensor(&work, b) : NULL;
    if (y == NULL)
        return work_stop(&work, false);
    struct node *parts[2] = {x, y};
    if (row_of(c)->kind == 0) {
        parts[0] = build2(k, OP_MUL, x, build1(k, OP_COS, y));
        parts[1] = build2(k, OP_MUL, x, build1(k, OP_SIN, y));
    }
    for (int i = 0; i < 2 && parts[i] != NULL; i++) {
        size_t shape[TENSOR_MAX_AXES + 1];
        unsigned n = parts[i]->value.n_axes;
        memcpy(shape, parts[i]->value.shape, n * sizeof *shape);
        shape[n] = 1;
        parts[i] = n < TENSOR_MAX_AXES ? build_reshape(k, parts[i], n + 1, shape) : NULL;
    }
    struct node *made = parts[0] && parts[1] ? build_many(k, OP_CAT, 2, parts, 1,
                                                          &(ptrdiff_t){parts[0]->value.n_axes - 1})
                                             : NULL;
    return work_end(&work, made, DTYPE_COMPLEX64, row_of(c)->grad_name, ret);
}

/* x.real, x.imag */
TORCH(run_part)
{
    size_t part = (size_t)row_of(c)->kind;
    struct tensor_thing *t = native_tensor(c, 0);
    struct node *node = t ? tensor_node(c->m, t) : NULL;
    if (node == NULL)
        return false;
    if (t->dtype != DTYPE_COMPLEX64) {
        *ret = value_take(c->args[0]);
        return part == 0 || raise_error(c->m, ERROR_RUNTIME,
                                        "imag is not implemented for tensors "
                                        "with non-complex dtypes.");
    }
    if (!narrowed(c->m, t, node->value.n_axes - 1, part, -1, "SelectBackward0", ret))
        return false;
    as_tensor(*ret)->dtype = DTYPE_FLOAT32;
    return true;
}

/* ---- the table ---- */

#define CONVERT(name, to)                                            \
    {                                                                \
        {#name, {"self"}, run_convert}, IN_METHODS, DTYPE_##to, NULL \
    }
#define SAME(name)                                                            \
    {                                                                         \
        {#name, {"self", "*args", "**kwargs"}, run_same}, IN_METHODS, 0, NULL \
    }
#define SAY(name, what)                                                      \
    {                                                                        \
        {#name, {"input"}, run_say}, IN_METHODS | IN_TORCH, SAY_##what, NULL \
    }

static const struct torch_row rows[] = {
    {{"reshape", {"input", "*sizes", "shape=None"}, run_reshape}, IN_BOTH, 1, NULL},
    {{"view", {"self", "*sizes", "size=None"}, run_reshape}, IN_METHODS, 0, NULL},
    {{"view_as", {"self", "other"}, run_reshape_as}, IN_METHODS, 0, NULL},
    {{"reshape_as", {"self", "other"}, run_reshape_as}, IN_METHODS, 0, NULL},
    {{"transpose", {"input", "dim0", "dim1"}, run_transpose}, IN_BOTH, 0, "TransposeBackward0"},
    {{"swapaxes", {"input", "axis0", "axis1"}, run_transpose}, IN_BOTH, 0, "TransposeBackward0"},
    {{"swapdims", {"input", "dim0", "dim1"}, run_transpose}, IN_BOTH, 0, "TransposeBackward0"},
    {{"t", {"input"}, run_t}, IN_BOTH, 0, NULL},
    {{"T", {"self"}, run_t}, IN_PROPERTIES, 1, NULL},
    {{"mT", {"self"}, run_t}, IN_PROPERTIES, 2, NULL},
    {{"H", {"self"}, run_t}, IN_PROPERTIES, 2, NULL},
    {{"permute", {"input", "*order", "dims=None"}, run_permute}, IN_BOTH, 0, NULL},
    {{"movedim", {"input", "source", "destination"}, run_movedim}, IN_BOTH, 0, NULL},
    {{"unsqueeze", {"input", "dim"}, run_unsqueeze}, IN_BOTH, 0, "UnsqueezeBackward0"},
    {{"squeeze", {"input", "dim=None"}, run_squeeze}, IN_BOTH, 0, NULL},
    {{"flatten", {"input", "start_dim=0", "end_dim=-1"}, run_flatten}, IN_BOTH, 0, NULL},
    {{"ravel", {"input"}, run_flatten}, IN_BOTH, 0, NULL},
    {{"unflatten", {"input", "dim", "sizes"}, run_unflatten}, IN_BOTH, 0, NULL},
    {{"expand", {"self", "*sizes", "size=None"}, run_expand}, IN_METHODS, 0, NULL},
    {{"broadcast_to", {"input", "size"}, run_expand}, IN_BOTH, 0, NULL},
    {{"expand_as", {"self", "other"}, run_expand_as}, IN_METHODS, 0, NULL},
    {{"narrow", {"input", "dim", "start", "length"}, run_narrow}, IN_BOTH, 0, "SliceBackward0"},
    {{"select", {"input", "dim", "index"}, run_narrow}, IN_BOTH, 1, "SelectBackward0"},
    {{"split", {"tensor", "split_size_or_sections", "dim=0"}, run_split},
     IN_BOTH,
     0,
     "SplitBackward0"},
    {{"chunk", {"input", "chunks", "dim=0"}, run_split}, IN_BOTH, 1, "SplitBackward0"},
    {{"unbind", {"input", "dim=0"}, run_split}, IN_BOTH, 2, "UnbindBackward0"},
    {{"cat", {"tensors", "dim=0"}, run_cat}, IN_TORCH, 0, "CatBackward0"},
    {{"concat", {"tensors", "dim=0"}, run_cat}, IN_TORCH, 0, "CatBackward0"},
    {{"concatenate", {"tensors", "dim=0"}, run_cat}, IN_TORCH, 0, "CatBackward0"},
    {{"stack", {"tensors", "dim=0"}, run_cat}, IN_TORCH, 1, "StackBackward0"},
    {{"repeat", {"self", "*times", "repeats=None"}, run_repeat}, IN_METHODS, 0, "RepeatBackward0"},
    {{"tile", {"input", "*times", "dims=None"}, run_repeat}, IN_BOTH, 1, "RepeatBackward0"},
    {{"repeat_interleave", {"input", "repeats", "dim=None"}, run_repeat_interleave},
     IN_BOTH,
     0,
     NULL},
    {{"flip", {"input", "*axes", "dims=None"}, run_flip}, IN_BOTH, 0, NULL},
    {{"roll", {"input", "shifts", "dims=None"}, run_roll}, IN_BOTH, 0, NULL},
    {{"index_select", {"input", "dim", "index"}, run_index_select}, IN_BOTH, 0, NULL},
    {{"gather", {"input", "dim", "index"}, run_gather}, IN_BOTH, 0, NULL},
    {{"take_along_dim", {"input", "dim", "indices"}, run_gather}, 0, 0, NULL},
    {{"scatter", {"input", "dim", "index", "src=None", "value=None"}, run_scatter},
     IN_BOTH | IN_PLACE,
     0,
     "ScatterBackward0"},
    {{"scatter_add", {"input", "dim", "index", "src"}, run_scatter},
     IN_BOTH | IN_PLACE,
     1,
     "ScatterAddBackward0"},
    {{"index_add", {"input", "dim", "index", "source"}, run_index_add},
     IN_BOTH | IN_PLACE,
     0,
     "IndexAddBackward0"},
    {{"masked_select", {"input", "mask"}, run_masked_select}, IN_BOTH, 0, NULL},
    {{"tril", {"input", "diagonal=0"}, run_triangle}, IN_ALL, OP_TRIL, "TrilBackward0"},
    {{"triu", {"input", "diagonal=0"}, run_triangle}, IN_ALL, OP_TRIU, "TriuBackward0"},
    {{"diag", {"input", "diagonal=0"}, run_diagonal}, IN_BOTH, 0, NULL},
    {{"diagonal", {"input", "offset=0", "dim1=0", "dim2=1"}, run_diagonal}, IN_BOTH, 1, NULL},
    {{"meshgrid", {"*tensors", "indexing=None"}, run_meshgrid}, IN_TORCH, 0, NULL},
    {{"clone", {"input", "*", "memory_format=None"}, run_clone}, IN_BOTH, 0, NULL},
    {{"contiguous", {"self"}, run_contiguous}, IN_METHODS, 0, NULL},
    CONVERT(float, FLOAT32),
    CONVERT(double, FLOAT64),
    CONVERT(half, FLOAT16),
    CONVERT(bfloat16, BFLOAT16),
    CONVERT(long, INT64),
    CONVERT(int, INT32),
    CONVERT(short, INT16),
    CONVERT(bool, BOOL),
    CONVERT(byte, UINT8),
    {{"to",
      {"self", "*others", "dtype=None", "device=None", "non_blocking=False", "copy=False"},
      run_to},
     IN_METHODS,
     0,
     NULL},
    {{"type", {"self", "dtype=None"}, run_type}, IN_METHODS, 0, NULL},
    {{"type_as", {"self", "other"}, run_type_as}, IN_METHODS, 0, NULL},
    SAME(cuda),
    SAME(cpu),
    SAME(pin_memory),
    {{"copy_", {"self", "src", "non_blocking=False"}, run_copy}, IN_METHODS, 0, NULL},
    {{"fill_", {"self", "value"}, run_fill}, IN_METHODS, 0, NULL},
    {{"zero_", {"self"}, run_fill}, IN_METHODS, 1, NULL},
    {{"size", {"self", "dim=None"}, run_size}, IN_METHODS, 0, NULL},
    {{"shape", {"self"}, run_size}, IN_PROPERTIES, 0, NULL},
    SAY(dim, AXES),
    {{"ndim", {"self"}, run_say}, IN_PROPERTIES, SAY_AXES, NULL},
    SAY(numel, COUNT),
    SAY(nelement, COUNT),
    SAY(is_contiguous, DENSE),
    SAY(is_floating_point, FLOAT),
    SAY(is_complex, COMPLEX),
    SAY(element_size, BYTES),
    SAY(data_ptr, POINTER),
    {{"is_cuda", {"self"}, run_say}, IN_PROPERTIES, SAY_FALSE, NULL},
    {{"stride", {"self", "dim=None"}, run_stride}, IN_METHODS, 0, NULL},
    {{"storage_offset", {"self"}, run_storage_offset}, IN_METHODS, 0, NULL},
    {{"item", {"self"}, run_item}, IN_METHODS, 0, NULL},
    {{"tolist", {"self"}, run_tolist}, IN_METHODS, 0, NULL},
    {{"_set_device", {"device"}, run_set_device}, IN_HIDDEN, 0, NULL},
    {{"device", {"self"}, run_device}, IN_PROPERTIES, 0, NULL},
    {{"dtype", {"self"}, run_dtype}, IN_PROPERTIES, 0, NULL},
    {{"view_as_complex", {"input"}, run_view_as}, IN_TORCH, 1, "ViewAsComplexBackward0"},
    {{"view_as_real", {"input"}, run_view_as}, IN_TORCH, 0, "ViewAsRealBackward0"},
    {{"polar", {"abs", "angle"}, run_polar}, IN_TORCH, 0, "PolarBackward0"},
    {{"complex", {"real", "imag"}, run_polar}, IN_TORCH, 1, "ComplexBackward0"},
    {{"real", {"self"}, run_part}, IN_PROPERTIES, 0, NULL},
    {{"imag", {"self"}, run_part}, IN_PROPERTIES, 1, NULL},
};

const struct torch_table torch_shapes = {rows, COUNT_OF(rows)};
