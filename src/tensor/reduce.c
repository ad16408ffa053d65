/* Reductions: the reduced axes are moved last, and each group of numbers is read into one dense
 * run, so that every reduction is a function of a plain array. */
#include "tensor/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double sum_of(const float *x, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i];
    return sum;
}

static double variance_of(const float *x, size_t n, double correction)
{
    double mean = sum_of(x, n) / (double)n;
    double squares = 0;
    for (size_t i = 0; i < n; i++)
        squares += ((double)x[i] - mean) * ((double)x[i] - mean);
    double divisor = (double)n - correction;
    return squares / (divisor > 0 ? divisor : 0);
}

/* Position of the first number for which nothing else is larger (sign 1) or smaller (sign -1). */
static size_t extreme_of(const float *x, size_t n, float sign)
{
    size_t best = 0;
    for (size_t i = 0; i < n && !isnan(x[best]); i++)
        if (isnan(x[i]) || sign * x[i] > sign * x[best])
            best = i;
    return best;
}

static size_t count_nonzero(const float *x, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += x[i] != 0;
    return count;
}

static double reduce_run(enum reduction f, const float *x, size_t n, double correction)
{
    switch (f) {
    case REDUCE_SUM:
        return sum_of(x, n);
    case REDUCE_MEAN:
        return sum_of(x, n) / (double)n;
    case REDUCE_VAR:
        return variance_of(x, n, correction);
    case REDUCE_STD:
        return sqrt(variance_of(x, n, correction));
    case REDUCE_MAX:
        return (double)x[extreme_of(x, n, 1)];
    case REDUCE_MIN:
        return (double)x[extreme_of(x, n, -1)];
    case REDUCE_ARGMAX:
        return (double)extreme_of(x, n, 1);
    case REDUCE_ARGMIN:
        return (double)extreme_of(x, n, -1);
    case REDUCE_ALL:
        return count_nonzero(x, n) == n;
    case REDUCE_ANY:
        return count_nonzero(x, n) > 0;
    case REDUCE_COUNT:
        break;
    }
    return (double)NAN;
}

static bool needs_a_number(enum reduction f)
{
    return f == REDUCE_MAX || f == REDUCE_MIN || f == REDUCE_ARGMAX || f == REDUCE_ARGMIN;
}

/* How x is cut: its kept axes first, then the reduced ones. */
struct cut {
    unsigned order[TENSOR_MAX_AXES];
    size_t n_groups, group_size;
    unsigned n_ret_axes;
    size_t ret_shape[TENSOR_MAX_AXES];
};

static struct cut cut_axes(const struct tensor *x, unsigned axes, bool keep_axes)
{
    struct cut cut = {.n_groups = 1, .group_size = 1};
    unsigned n = 0;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        if (!(axes >> axis & 1U)) {
            cut.order[n++] = axis;
            cut.n_groups *= x->shape[axis];
            cut.ret_shape[cut.n_ret_axes++] = x->shape[axis];
        } else if (keep_axes) {
            cut.ret_shape[cut.n_ret_axes++] = 1;
        }
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        if (axes >> axis & 1U) {
            cut.order[n++] = axis;
            cut.group_size *= x->shape[axis];
        }
    return cut;
}

bool tensor_reduce(enum reduction f, const struct tensor *x, unsigned axes, bool keep_axes,
                   double correction, struct tensor *ret, struct error *reterr)
{
    unsigned all = (1U << x->n_axes) - 1;
    if (axes & ~all)
        return error_set(reterr, ERR_SHAPE, "reduce: there are only %u axes", x->n_axes);
    struct cut cut = cut_axes(x, axes ? axes : all, keep_axes);
    if (cut.group_size == 0 && cut.n_groups > 0 && needs_a_number(f))
        return error_set(
            reterr, ERR_RANGE,
            "max, min: of no numbers there is no largest or smallest; give at least one");
    struct tensor view = {0}, grouped = {0};
    bool ok = tensor_permute(x, cut.order, &view, reterr) &&
              tensor_dense(&view, &grouped, reterr) &&
              tensor_zeros(cut.n_ret_axes, cut.ret_shape, ret, reterr);
    for (size_t g = 0; ok && g < cut.n_groups; g++)
        ret->data[g] =
            (float)reduce_run(f, grouped.data + g * cut.group_size, cut.group_size, correction);
    if (ok)
        ret->is_bool = f == REDUCE_ALL || f == REDUCE_ANY;
    tensor_release(&view);
    tensor_release(&grouped);
    return ok;
}
