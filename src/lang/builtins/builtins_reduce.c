/* Sums, means, extremes; softmax. */
#include <math.h>

#include "base/array.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call_internal.h"

static bool reduce(struct call *call, enum op_kind kind, struct value *ret)
{
    unsigned axes;
    bool keep;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_axes(call, 1, x, &axes) || !arg_flag(call, 2, false, &keep))
        return false;
    return call_result(call, build_reduce(&call->builder, kind, x, axes, keep, 0), ret);
}

RUN_WITH(sum, reduce, OP_SUM)
RUN_WITH(mean, reduce, OP_MEAN)
RUN_WITH(argmax, reduce, OP_ARGMAX)
RUN_WITH(argmin, reduce, OP_ARGMIN)
RUN_WITH(all, reduce, OP_ALL)
RUN_WITH(any, reduce, OP_ANY)

/* The larger or smaller of two, cell by cell, goes by another name here. */
static bool extreme(struct call *call, enum op_kind kind, struct value *ret)
{
    const struct value *input = &call->args[0], *dim = &call->args[1];
    bool number = input->kind == VALUE_NODE && input->as.node->value.n_axes == 0;
    bool matrix = dim->kind == VALUE_NODE && dim->as.node->value.n_axes > 1;
    if (matrix || (number && arg_given(call, 1)))
        return error_set(call->reterr, ERR_TYPE,
                         "%s: the second argument is dim, an axis; for the %s of two write "
                         "%simum(a, b)",
                         call->builtin->name, kind == OP_MAX ? "larger" : "smaller",
                         call->builtin->name);
    return reduce(call, kind, ret);
}

RUN_WITH(max, extreme, OP_MAX)
RUN_WITH(min, extreme, OP_MIN)

/* Numbers as a leaf, (n). */
static struct node *leaf(struct call *call, const double *numbers, unsigned n, const char *text)
{
    struct tensor value;
    size_t shape = n;
    if (!tensor_empty(1, &shape, &value, call->reterr))
        return NULL;
    for (unsigned i = 0; i < n; i++)
        value.data[i] = (float)numbers[i];
    return build_input(&call->builder, &value, text);
}

/* How far it is from one number to the next along each axis, row after row. Returns how many
 * numbers there are, as a double, which a typed shape does not overflow. */
static double row_steps(const size_t *shape, unsigned n_axes, double *ret_steps)
{
    double size = 1;
    for (unsigned i = n_axes; i-- > 0;) {
        ret_steps[i] = size;
        size *= (double)shape[i];
    }
    return size;
}

/* unravel_index(argmax(X), X.shape): along each axis floor(i / step) modulo its length. */
static bool run_unravel_index(struct call *call, struct value *ret)
{
    size_t shape[TENSOR_MAX_AXES];
    double steps[TENSOR_MAX_AXES], lengths[TENSOR_MAX_AXES];
    unsigned n_axes;
    struct builder *b = &call->builder;
    struct node *at = arg_node(call, 0);
    if (at == NULL || !arg_shape(call, &call->args[1], 1, shape, &n_axes))
        return false;
    double size = row_steps(shape, n_axes, steps);
    float i = at->value.n_axes == 0 ? at->value.data[0] : -1;
    if (!(i >= 0 && (double)i < size && size <= TENSOR_MAX_SIZE) || i != floorf(i))
        return error_set(call->reterr, ERR_RANGE,
                         "unravel_index: indices must be one whole number, as argmax(X) gives it, "
                         "from 0 on and less than the %g numbers of that shape",
                         size);
    for (unsigned axis = 0; axis < n_axes; axis++)
        lengths[axis] = (double)shape[axis];
    struct node *passed =
        build1(b, OP_FLOOR, build2(b, OP_DIV, at, leaf(call, steps, n_axes, "steps")));
    struct node *length = leaf(call, lengths, n_axes, "shape");
    struct node *rounds = build1(b, OP_FLOOR, build2(b, OP_DIV, passed, length));
    return call_result(call, build2(b, OP_SUB, passed, build2(b, OP_MUL, rounds, length)), ret);
}

static bool spread(struct call *call, enum op_kind kind, struct value *ret)
{
    unsigned axes;
    bool keep;
    ptrdiff_t correction;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_axes(call, 1, x, &axes) || !arg_flag(call, 2, false, &keep) ||
        !arg_whole(call, 3, 1, &correction))
        return false;
    return call_result(call, build_reduce(&call->builder, kind, x, axes, keep, (double)correction),
                       ret);
}

RUN_WITH(var, spread, OP_VAR)
RUN_WITH(std, spread, OP_STD)

static bool softmax(struct call *call, enum op_kind kind, struct value *ret)
{
    unsigned axis;
    struct node *x = arg_node(call, 0);
    if (x == NULL || !arg_axis(call, 1, x, -1, &axis))
        return false;
    ptrdiff_t ints = axis;
    return call_result(call, build_ints(&call->builder, kind, x, 1, &ints, 0), ret);
}

RUN_WITH(softmax, softmax, OP_SOFTMAX)
RUN_WITH(log_softmax, softmax, OP_LOG_SOFTMAX)

#define REDUCE "sums and softmax"
#define DIMS                                 \
    {                                        \
        "input", "dim=None", "keepdim=False" \
    }
#define SPREAD                                               \
    {                                                        \
        "input", "dim=None", "keepdim=False", "correction=1" \
    }

const struct builtin builtins_reduce[] = {
    {"softmax",
     REDUCE,
     {"input", "dim=-1"},
     "exp(x) divided by the sum of exp(x) along dim: positive numbers that sum to 1.",
     "softmax([0.1, 0.2, 0.3])\nsoftmax([10, 20, 30])",
     run_softmax},
    {"log_softmax",
     REDUCE,
     {"input", "dim=-1"},
     "The logarithm of softmax, exact for tiny weights.",
     "log_softmax([1, 2, 3])",
     run_log_softmax},
    {"sum", REDUCE, DIMS, "The sum of all numbers, or along dim.", "sum([[1, 2], [3, 4]], dim=-1)",
     run_sum},
    {"mean", REDUCE, DIMS, "The mean of all numbers, or along dim.", "mean([1, 2, 3])", run_mean},
    {"var", REDUCE, SPREAD,
     "The variance; divides by n - correction, so correction=0 gives numpy's default.",
     "var([1, 2, 3, 4])", run_var},
    {"std", REDUCE, SPREAD, "The standard deviation: the root of var.", "std([1, 2, 3, 4])",
     run_std},
    {"max", REDUCE, DIMS, "The largest number, or the largest along dim.",
     "max([[1, 5], [3, 2]], dim=1)", run_max},
    {"min", REDUCE, DIMS, "The smallest number, or the smallest along dim.", "min([1, 5, 3])",
     run_min},
    {"argmax", REDUCE, DIMS, "The position of the largest number.", "argmax([1, 5, 3])",
     run_argmax},
    {"argmin", REDUCE, DIMS, "The position of the smallest number.", "argmin([4, 1, 3])",
     run_argmin},
    {"unravel_index",
     REDUCE,
     {"indices", "shape"},
     "Where in a tensor of this shape the number is that argmax counts to: row and column.",
     "X = [[1, 5, 3], [4, 2, 9]]; unravel_index(argmax(X), X.shape)",
     run_unravel_index},
    {"all", REDUCE, DIMS, "True when no number is 0 or False.", "all([1, 2] > 0)", run_all},
    {"any", REDUCE, DIMS, "True when some number is not 0 or False.", "any([1, -2] < 0)", run_any},
};
const size_t n_builtins_reduce = COUNT_OF(builtins_reduce);
