/* Shapes, axes, labels: the same numbers arranged in another way. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"
#include "lang/value/value.h"
#include "lang/value/literal.h"
#include "show/labels.h"
#include "tensor/tensor.h"

/* A shape in which one size may be -1: whatever makes the count right. */
static bool infer_size(struct call *call, const struct node *x, const ptrdiff_t *wholes, unsigned n,
                       size_t *ret_shape)
{
    size_t known = 1, total = tensor_size(&x->value);
    unsigned open = n;
    for (unsigned i = 0; i < n; i++) {
        if (wholes[i] < -1 || (wholes[i] == -1 && open < n))
            return error_set(call->reterr, ERR_RANGE,
                             "%s: sizes are 0 or more, and one may be -1 (found from the others)",
                             call->builtin->name);
        if (wholes[i] == -1)
            open = i;
        else if (wholes[i] != 0 && known > TENSOR_MAX_SIZE / (size_t)wholes[i])
            return error_set(call->reterr, ERR_SHAPE, "%s: the sizes are too large",
                             call->builtin->name);
        else
            known *= (size_t)wholes[i];
    }
    if (open < n && (known == 0 || total % known != 0))
        return error_set(call->reterr, ERR_SHAPE, "%s: %zu numbers do not split into groups of %zu",
                         call->builtin->name, total, known);
    for (unsigned i = 0; i < n; i++)
        ret_shape[i] = i == open ? total / known : (size_t)wholes[i];
    return true;
}

static bool run_reshape(struct call *call, struct value *ret)
{
    ptrdiff_t wholes[TENSOR_MAX_AXES];
    size_t shape[TENSOR_MAX_AXES];
    unsigned n;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_wholes(call, call->rest, call->n_rest, wholes, &n) ||
        !infer_size(call, x, wholes, n, shape))
        return false;
    return call_result(call, build_reshape(&call->builder, x, n, shape), ret);
}

/* Strides as PyTorch prints them: (3, 1), (1,). */
static void write_strides(const struct tensor *x, struct text *text)
{
    text_char(text, '(');
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        text_format(text, "%s%td", axis > 0 ? ", " : "", x->stride[axis]);
    text_put(text, x->n_axes == 1 ? ",)" : ")");
}

/* The sizes fit, and yet no view is possible: says what lies where. */
static bool cannot_view(struct call *call, const struct node *x)
{
    char shape[TENSOR_SHAPE_TEXT];
    struct text strides = {0};
    write_strides(&x->value, &strides);
    error_set(
        call->reterr, ERR_SHAPE,
        "view: this %s has strides %s: its numbers do not lie in memory in the order that you "
        "see, and view copies nothing; write .contiguous().view(...), or .reshape(...), "
        "which copies where it must",
        tensor_shape_text(&x->value, shape), text_string(&strides));
    text_release(&strides);
    return false;
}

/* As reshape, of numbers that stay where they are. */
static bool run_view(struct call *call, struct value *ret)
{
    ptrdiff_t wholes[TENSOR_MAX_AXES];
    size_t shape[TENSOR_MAX_AXES], size = 1;
    unsigned n;
    struct tensor view;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_wholes(call, call->rest, call->n_rest, wholes, &n) ||
        !infer_size(call, x, wholes, n, shape))
        return false;
    for (unsigned axis = 0; axis < n; axis++)
        size *= shape[axis];
    if (size == tensor_size(&x->value)) {
        if (!tensor_view(&x->value, n, shape, &view, NULL))
            return cannot_view(call, x);
        tensor_release(&view);
    }
    return call_result(call, build_reshape(&call->builder, x, n, shape), ret);
}

static bool run_contiguous(struct call *call, struct value *ret)
{
    return call_result(call, build1(&call->builder, OP_CONTIGUOUS, arg_node(call, 0)), ret);
}

static bool run_is_contiguous(struct call *call, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    if (x == NULL)
        return false;
    *ret = value_node(
        node_constant_bool(call->builder.graph, tensor_is_dense(&x->value), call->reterr));
    return ret->kind == VALUE_NODE;
}

static bool whole_value(struct call *call, ptrdiff_t number, struct value *ret)
{
    *ret = value_node(node_constant(call->builder.graph, (float)number, call->reterr));
    return ret->kind == VALUE_NODE;
}

/* The strides as a tuple, or that of one axis. */
static bool run_stride(struct call *call, struct value *ret)
{
    unsigned axis;
    struct node *x = arg_node(call, 0);
    if (x == NULL)
        return false;
    if (arg_given(call, 1))
        return arg_axis(call, 1, x, 0, &axis) &&
               (axis < x->value.n_axes ||
                error_set(call->reterr, ERR_SHAPE, "stride: a single number has no axes")) &&
               whole_value(call, x->value.stride[axis], ret);
    struct value strides[TENSOR_MAX_AXES] = {{.kind = VALUE_ABSENT}};
    bool ok = true;
    for (unsigned i = 0; ok && i < x->value.n_axes; i++)
        ok = whole_value(call, x->value.stride[i], &strides[i]);
    ok = ok && value_list(strides, x->value.n_axes, ret, call->reterr);
    for (unsigned i = 0; i < x->value.n_axes; i++)
        value_release(&strides[i]);
    return ok;
}

/* transpose(x, 1, 2); without dims the last two axes of a matrix, as numpy */
static bool run_transpose(struct call *call, struct value *ret)
{
    unsigned a, b;
    struct node *x = arg_node(call, 0);
    if (x == NULL)
        return false;
    if (x->value.n_axes < 2 && !arg_given(call, 1))
        return call_result(call, x, ret);
    if (!arg_axis(call, 1, x, -2, &a) || !arg_axis(call, 2, x, -1, &b))
        return false;
    return call_result(call, build_transpose(&call->builder, x, a, b), ret);
}

static bool run_permute(struct call *call, struct value *ret)
{
    ptrdiff_t dims[TENSOR_MAX_AXES];
    unsigned n, axis, seen = 0;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_wholes(call, call->rest, call->n_rest, dims, &n))
        return false;
    for (unsigned i = 0; i < n; i++) {
        if (!tensor_axis(&x->value, dims[i], "permute", &axis, call->reterr))
            return false;
        dims[i] = axis;
        seen |= 1U << axis;
    }
    if (n != x->value.n_axes || seen != (1U << n) - 1)
        return error_set(call->reterr, ERR_SHAPE, "permute: name each of the %u axes once",
                         x->value.n_axes);
    return call_result(call, build_ints(&call->builder, OP_PERMUTE, x, n, dims, 0), ret);
}

static bool run_unsqueeze(struct call *call, struct value *ret)
{
    ptrdiff_t dim;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_whole(call, 1, 0, &dim))
        return false;
    ptrdiff_t n = x->value.n_axes;
    if (dim < -n - 1 || dim > n || n == TENSOR_MAX_AXES)
        return error_set(call->reterr, ERR_SHAPE,
                         "unsqueeze: a new axis can stand at dim %td to %td, and there are at most "
                         "%d axes",
                         -n - 1, n, TENSOR_MAX_AXES);
    size_t shape[TENSOR_MAX_AXES + 1], at = (size_t)(dim < 0 ? dim + n + 1 : dim);
    memcpy(shape, x->value.shape, at * sizeof *shape);
    shape[at] = 1;
    memcpy(shape + at + 1, x->value.shape + at, ((size_t)n - at) * sizeof *shape);
    return call_result(call, build_reshape(&call->builder, x, (unsigned)n + 1, shape), ret);
}

/* Drops axes of 1: all of them, or the one that is named (which stays when it is longer). */
static bool run_squeeze(struct call *call, struct value *ret)
{
    unsigned axes, n = 0;
    size_t shape[TENSOR_MAX_AXES];
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_axes(call, 1, x, &axes))
        return false;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++) {
        bool drop = x->value.shape[axis] == 1 && (axes == 0 || (axes >> axis & 1U));
        if (!drop)
            shape[n++] = x->value.shape[axis];
    }
    return call_result(call, build_reshape(&call->builder, x, n, shape), ret);
}

static bool run_flatten(struct call *call, struct value *ret)
{
    unsigned first, last, n = 0;
    size_t shape[TENSOR_MAX_AXES];
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_axis(call, 1, x, 0, &first) || !arg_axis(call, 2, x, -1, &last))
        return false;
    for (unsigned axis = 0; axis < x->value.n_axes; axis++)
        if (axis > first && axis <= last)
            shape[n - 1] *= x->value.shape[axis];
        else
            shape[n++] = x->value.shape[axis];
    if (n == 0)
        shape[n++] = 1;
    return call_result(call, build_reshape(&call->builder, x, n, shape), ret);
}

/* expand: -1 keeps an axis */
static bool run_broadcast_to(struct call *call, struct value *ret)
{
    ptrdiff_t wholes[TENSOR_MAX_AXES];
    unsigned n;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_wholes(call, call->rest, call->n_rest, wholes, &n))
        return false;
    for (unsigned i = 0; i < n; i++) {
        bool own = n - i <= x->value.n_axes;
        if (wholes[i] == -1 && own)
            wholes[i] = (ptrdiff_t)x->value.shape[i + x->value.n_axes - n];
        if (wholes[i] < 0)
            return error_set(call->reterr, ERR_RANGE, "%s: a size can't be negative",
                             call->builtin->name);
    }
    return call_result(call, build_ints(&call->builder, OP_EXPAND, x, n, wholes, 0), ret);
}

static bool run_repeat_interleave(struct call *call, struct value *ret)
{
    size_t repeats;
    unsigned axis;
    struct node *x = arg_node(call, 0);
    if (x != NULL && !arg_given(call, 2)) /* without dim, all numbers in a row */
        x = build_reshape(&call->builder, x, 1, (size_t[]){tensor_size(&x->value)});
    if (x == NULL || !arg_size(call, 1, 1, &repeats) || !arg_axis(call, 2, x, 0, &axis))
        return false;
    return call_result(call, build_repeat(&call->builder, x, repeats, axis), ret);
}

/* Rows that cat and stack take a tensor apart into, each a tensor of its own. */
enum { MAX_ROWS = 1 << 16 };

/* The parts of cat and stack: a list of tensors, or the rows of one. */
static struct node **parts_of(struct call *call, size_t *ret_n)
{
    const struct value *list = &call->args[0];
    bool rows = list->kind == VALUE_NODE && list->as.node->value.n_axes > 0;
    if (list->kind != VALUE_LIST && !rows) {
        char text[120];
        error_set(call->reterr, ERR_TYPE,
                  "%s: a list of tensors is needed, such as [a, b], and "
                  "this is %s",
                  call->builtin->name, value_describe(list, text, sizeof text));
        return NULL;
    }
    size_t n = rows ? list->as.node->value.shape[0] : list->as.list->n;
    if (n == 0) {
        error_set(call->reterr, ERR_TYPE, "%s: the list is empty", call->builtin->name);
        return NULL;
    }
    if (rows && n > MAX_ROWS) {
        error_set(call->reterr, ERR_LIMIT,
                  "%s: up to %d rows of a tensor can be joined, and this one has %zu",
                  call->builtin->name, MAX_ROWS, n);
        return NULL;
    }
    struct node **parts = calloc(n, sizeof(*parts));
    if (parts == NULL) {
        error_memory(call->reterr, call->builtin->name);
        return NULL;
    }
    *ret_n = n;
    for (size_t i = 0; i < n; i++) {
        parts[i] = rows ? compose_row(&call->builder, list->as.node, i)
                        : builder_keep(&call->builder,
                                       value_to_node(call->builder.graph, &list->as.list->items[i],
                                                     call->builtin->name, call->reterr));
        if (parts[i] == NULL) {
            free(parts);
            return NULL;
        }
    }
    return parts;
}

static bool run_cat(struct call *call, struct value *ret)
{
    size_t n = 0;
    unsigned axis;
    struct node **parts = parts_of(call, &n);
    if (parts == NULL)
        return false;
    bool ok = arg_axis(call, 1, parts[0], 0, &axis);
    if (ok && parts[0]->value.n_axes == 0)
        ok = error_set(call->reterr, ERR_SHAPE,
                       "cat: single numbers have no axis to join along; write stack");
    struct node *joined =
        ok ? build_many(&call->builder, OP_CAT, (unsigned)n, parts, 1, &(ptrdiff_t){axis}) : NULL;
    free(parts);
    return call_result(call, joined, ret);
}

static bool run_stack(struct call *call, struct value *ret)
{
    size_t n = 0;
    ptrdiff_t dim;
    struct node **parts = parts_of(call, &n);
    if (parts == NULL)
        return false;
    ptrdiff_t n_axes = parts[0]->value.n_axes;
    const struct tensor first = parts[0]->value;
    bool ok = arg_whole(call, 1, 0, &dim);
    if (ok && (dim < -n_axes - 1 || dim > n_axes || n_axes == TENSOR_MAX_AXES))
        ok = error_set(call->reterr, ERR_SHAPE, "stack: the new axis can stand at dim %td to %td",
                       -n_axes - 1, n_axes);
    size_t at = ok ? (size_t)(dim < 0 ? dim + n_axes + 1 : dim) : 0;
    for (size_t i = 0; ok && i < n; i++) {
        size_t shape[TENSOR_MAX_AXES + 1];
        char shapes[2][TENSOR_SHAPE_TEXT];
        if (i > 0 && !tensor_same_shape(&first, &parts[i]->value)) {
            ok = error_set(call->reterr, ERR_SHAPE,
                           "stack: part 0 is %s and part %zu is %s; all parts must have the same "
                           "shape",
                           tensor_shape_text(&first, shapes[0]), i,
                           tensor_shape_text(&parts[i]->value, shapes[1]));
            break;
        }
        memcpy(shape, parts[i]->value.shape, at * sizeof *shape);
        shape[at] = 1;
        memcpy(shape + at + 1, parts[i]->value.shape + at, ((size_t)n_axes - at) * sizeof *shape);
        parts[i] = build_reshape(&call->builder, parts[i], (unsigned)n_axes + 1, shape);
        ok = parts[i] != NULL;
    }
    ptrdiff_t axis = (ptrdiff_t)at;
    struct node *joined =
        ok ? build_many(&call->builder, OP_CAT, (unsigned)n, parts, 1, &axis) : NULL;
    free(parts);
    return call_result(call, joined, ret);
}

static bool triangle(struct call *call, enum op_kind kind, struct value *ret)
{
    ptrdiff_t diagonal;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_whole(call, 1, 0, &diagonal))
        return false;
    return call_result(call, build_ints(&call->builder, kind, x, 1, &diagonal, 0), ret);
}

RUN_WITH(tril, triangle, OP_TRIL)
RUN_WITH(triu, triangle, OP_TRIU)

/* The shape as a tuple, or one size of it. */
static bool run_shape(struct call *call, struct value *ret)
{
    unsigned axis;
    struct node *x = arg_node(call, 0);
    if (x == NULL)
        return false;
    if (call->builtin->params[1] != NULL && arg_given(call, 1))
        return arg_axis(call, 1, x, 0, &axis) &&
               (axis < x->value.n_axes ||
                error_set(call->reterr, ERR_SHAPE, "size: a single number has no axes")) &&
               whole_value(call, (ptrdiff_t)x->value.shape[axis], ret);
    struct value sizes[TENSOR_MAX_AXES] = {{.kind = VALUE_ABSENT}};
    bool ok = true;
    for (unsigned i = 0; ok && i < x->value.n_axes; i++)
        ok = whole_value(call, (ptrdiff_t)x->value.shape[i], &sizes[i]);
    ok = ok && value_list(sizes, x->value.n_axes, ret, call->reterr);
    for (unsigned i = 0; i < x->value.n_axes; i++)
        value_release(&sizes[i]);
    return ok;
}

static bool run_ndim(struct call *call, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    return x != NULL && whole_value(call, x->value.n_axes, ret);
}

static bool run_numel(struct call *call, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    return x != NULL && whole_value(call, (ptrdiff_t)tensor_size(&x->value), ret);
}

static bool run_len(struct call *call, struct value *ret)
{
    if (call->args[0].kind == VALUE_LIST)
        return whole_value(call, (ptrdiff_t)call->args[0].as.list->n, ret);
    struct node *x = arg_node(call, 0);
    if (x == NULL)
        return false;
    if (x->value.n_axes == 0)
        return error_set(call->reterr, ERR_SHAPE, "len: a single number has no length");
    return whole_value(call, (ptrdiff_t)x->value.shape[0], ret);
}

/* Labels from a list of texts, one for each position of an axis. */
static bool labels_from(struct call *call, const struct value *value, size_t length,
                        struct labels **ret)
{
    bool list = value->kind == VALUE_LIST;
    for (size_t i = 0; list && i < value->as.list->n; i++)
        list = value->as.list->items[i].kind == VALUE_STRING;
    if (!list)
        return error_set(call->reterr, ERR_TYPE,
                         "labels: a list of texts is needed, such as [\"a\", \"b\"]");
    if (value->as.list->n != length)
        return error_set(call->reterr, ERR_SHAPE,
                         "labels: %zu %s for an axis of %zu; each position needs one",
                         value->as.list->n, value->as.list->n == 1 ? "name" : "names", length);
    const char **names = malloc((length + 1) * sizeof *names);
    if (names == NULL)
        return error_memory(call->reterr, "labels");
    for (size_t i = 0; i < length; i++)
        names[i] = value->as.list->items[i].as.string->bytes;
    bool ok = labels_new(length, names, NULL, ret, call->reterr);
    free(names);
    return ok;
}

/* labels(X): the names of its rows. labels(X, rows, columns): X with these names. */
static bool run_labels(struct call *call, struct value *ret)
{
    struct node *x = arg_node(call, 0);
    if (x == NULL)
        return false;
    if (!arg_given(call, 1) && !arg_given(call, 2)) {
        if (x->value.n_axes > 0 && x->labels[0] != NULL)
            return value_labels(x->labels[0], ret, call->reterr);
        ret->kind = VALUE_NONE;
        return true;
    }
    struct node *named = compose_same(&call->builder, x);
    for (unsigned i = 0; i < 2 && named != NULL; i++) {
        struct labels *labels;
        unsigned axis = x->value.n_axes == 1 ? 0 : x->value.n_axes - 2 + i;
        if (!arg_given(call, i + 1))
            continue;
        if (x->value.n_axes < i + 1)
            return error_set(call->reterr, ERR_SHAPE,
                             i == 0 ? "labels: rows name an axis, and a single number has no axis"
                                    : "labels: columns name a second axis, and this is a vector; "
                                      "its names are rows");
        if (!labels_from(call, &call->args[i + 1], x->value.shape[axis], &labels))
            return false;
        node_set_labels(named, axis, labels);
        labels_free(labels);
    }
    return call_result(call, named, ret);
}

#define SHAPE "shapes and labels"

const struct builtin builtins_shape[] = {
    {"shape",
     SHAPE,
     {"input"},
     "The length of each axis; also written X.shape.",
     "shape(zeros(2, 3))",
     run_shape},
    {"size",
     SHAPE,
     {"input", "dim=None"},
     "The shape, or the length of one axis.",
     "zeros(2, 3).size(-1)",
     run_shape},
    {"ndim",
     SHAPE,
     {"input"},
     "How many axes there are; also written X.ndim.",
     "zeros(2, 3).ndim",
     run_ndim},
    {"numel", SHAPE, {"input"}, "How many numbers there are.", "zeros(2, 3).numel()", run_numel},
    {"len",
     SHAPE,
     {"input"},
     "The length of the first axis, or of a list.",
     "len([4, 5, 6])",
     run_len},
    {"reshape",
     SHAPE,
     {"input", "*shape"},
     "The same numbers in another shape; one size may be -1. Copies them where a view is not "
     "possible.",
     "arange(6).reshape(2, 3)\narange(6).reshape(3, -1)",
     run_reshape},
    {"view",
     SHAPE,
     {"input", "*shape"},
     "The same numbers in another shape, where they lie. An error where they would have to be "
     "copied, as after a transpose: see contiguous, stride and reshape.",
     "arange(6).view(2, 3)\narange(6).view(2, 3).T.contiguous().view(6)",
     run_view},
    {"contiguous",
     SHAPE,
     {"input"},
     "The same tensor with its numbers one after the other in memory, copied where they are not.",
     "X = arange(6).view(2, 3)\nX.T.is_contiguous()\nX.T.contiguous().is_contiguous()",
     run_contiguous},
    {"is_contiguous",
     SHAPE,
     {"input"},
     "True when the numbers lie in memory in the order that you read them, row after row.",
     "X = arange(6).view(2, 3)\nX.is_contiguous()\nX.T.is_contiguous()",
     run_is_contiguous},
    {"stride",
     SHAPE,
     {"input", "dim=None"},
     "How many numbers in memory lie between neighbours along each axis; transposing swaps strides "
     "and moves no number.",
     "X = arange(6).view(2, 3)\nX.stride()\nX.T.stride()",
     run_stride},
    {"transpose",
     SHAPE,
     {"input", "dim0=-2", "dim1=-1"},
     "Two axes exchanged; X.T for a matrix.",
     "zeros(2, 5, 64).transpose(-2, -1).shape",
     run_transpose},
    {"permute",
     SHAPE,
     {"input", "*dims"},
     "The axes in another order.",
     "zeros(2, 5, 64).permute(2, 0, 1).shape",
     run_permute},
    {"unsqueeze",
     SHAPE,
     {"input", "dim"},
     "A new axis of length 1.",
     "unsqueeze([1, 2], 0)",
     run_unsqueeze},
    {"squeeze",
     SHAPE,
     {"input", "dim=None"},
     "Axes of length 1 dropped.",
     "squeeze([[1, 2]])",
     run_squeeze},
    {"flatten",
     SHAPE,
     {"input", "start_dim=0", "end_dim=-1"},
     "Several axes as one.",
     "flatten([[1, 2], [3, 4]])",
     run_flatten},
    {"broadcast_to",
     SHAPE,
     {"input", "*size"},
     "Axes of length 1 repeated, without copying. Also called expand.",
     "broadcast_to([1, 2], 3, 2)",
     run_broadcast_to},
    {"repeat_interleave",
     SHAPE,
     {"input", "repeats", "dim=None"},
     "Each position along dim repeated in place; without dim, each number.",
     "repeat_interleave([1, 2], 2)\nrepeat_interleave([[1, 2], [3, 4]], 2, dim=0)",
     run_repeat_interleave},
    {"cat",
     SHAPE,
     {"tensors", "dim=0"},
     "Tensors one after the other along an axis.",
     "a = [1, 2]; b = [3]; cat([a, b])",
     run_cat},
    {"stack",
     SHAPE,
     {"tensors", "dim=0"},
     "Tensors of one shape along a new axis.",
     "a = [1, 2]; b = [3, 4]; stack([a, b])",
     run_stack},
    {"tril",
     SHAPE,
     {"input", "diagonal=0"},
     "The lower triangle; the rest becomes 0.",
     "tril(ones(3, 3))",
     run_tril},
    {"triu",
     SHAPE,
     {"input", "diagonal=0"},
     "The upper triangle; the rest becomes 0.",
     "triu(ones(3, 3), diagonal=1)",
     run_triu},
    {"labels",
     SHAPE,
     {"input", "rows=None", "columns=None"},
     "The names of the rows; with lists of texts, the tensor with these names.",
     "labels(embed(\"Hello shiny sun!\"))\nlabels([[1, 2], [3, 4]], [\"a\", \"b\"], [\"x\", "
     "\"y\"])",
     run_labels},
};
const size_t n_builtins_shape = COUNT_OF(builtins_shape);
