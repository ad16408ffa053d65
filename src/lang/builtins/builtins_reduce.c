/* Sums, means, extremes; softmax. */
#include "base/array.h"
#include "graph/builder.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "lang/builtins/builtin_internal.h"
#include "lang/builtins/call.h"

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
    {"all", REDUCE, DIMS, "True when no number is 0 or False.", "all([1, 2] > 0)", run_all},
    {"any", REDUCE, DIMS, "True when some number is not 0 or False.", "any([1, -2] < 0)", run_any},
};
const size_t n_builtins_reduce = COUNT_OF(builtins_reduce);
