/* Reductions: the reduced axes are moved last. Large ones are the kernels'; else each group of
 * numbers is read into one dense run, so that every reduction is a function of a plain array. */
#include "tensor/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/reduce.h"
#include "tensor/walk.h"

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
    unsigned n_kept;
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
    cut.n_kept = n;
    for (unsigned axis = 0; axis < x->n_axes; axis++)
        if (axes >> axis & 1U) {
            cut.order[n++] = axis;
            cut.group_size *= x->shape[axis];
        }
    return cut;
}

/* ---- large reductions ---- */

static float as_it_is(const struct reduction_work *work, double folded)
{
    (void)work;
    return (float)folded;
}

static float divided(const struct reduction_work *work, double folded)
{
    return (float)(folded / work->divisor);
}

static float divided_root(const struct reduction_work *work, double folded)
{
    return (float)sqrt(folded / work->divisor);
}

static float counts_all(const struct reduction_work *work, double folded)
{
    return folded == (double)work->group_size;
}

static float counts_any(const struct reduction_work *work, double folded)
{
    (void)work;
    return folded > 0;
}

static const struct reduction_work works[REDUCE_COUNT] = {
    [REDUCE_SUM] = {.f = FOLD_SUM, .finish = as_it_is},
    [REDUCE_MEAN] = {.f = FOLD_SUM, .finish = divided},
    [REDUCE_VAR] = {.f = FOLD_SQUARES, .finish = divided},
    [REDUCE_STD] = {.f = FOLD_SQUARES, .finish = divided_root},
    [REDUCE_MAX] = {.is_extreme = true},
    [REDUCE_MIN] = {.is_extreme = true, .smallest = true},
    [REDUCE_ARGMAX] = {.is_extreme = true, .wants_place = true},
    [REDUCE_ARGMIN] = {.is_extreme = true, .smallest = true, .wants_place = true},
    [REDUCE_ALL] = {.f = FOLD_NONZERO, .finish = counts_all},
    [REDUCE_ANY] = {.f = FOLD_NONZERO, .finish = counts_any},
};

/* By the kernels; view has the axes in the order of the cut. */
static bool reduce_many(const struct kernel *kernel, enum reduction f, const struct tensor *view,
                        const struct cut *cut, double correction, const volatile sig_atomic_t *stop,
                        float *ret, struct error *reterr)
{
    struct reduction_work work = works[f];
    double n = (double)cut->group_size;
    work.kernel = kernel;
    work.kept = walk_strided(view, 0, cut->n_kept);
    work.reduced = walk_strided(view, cut->n_kept, view->n_axes - cut->n_kept);
    work.n_groups = cut->n_groups;
    work.group_size = cut->group_size;
    work.divisor = f == REDUCE_MEAN ? n : n > correction ? n - correction : 0;
    work.ret = ret;
    return kernel_reduce(&work, stop, reterr);
}

/* As it reads: group by group. */
static bool reduce_few(enum reduction f, const struct tensor *view, const struct cut *cut,
                       double correction, const volatile sig_atomic_t *stop, float *ret,
                       struct error *reterr)
{
    struct tensor grouped;
    if (!tensor_dense(view, &grouped, reterr))
        return false;
    size_t g = 0;
    for (; g < cut->n_groups && (stop == NULL || !*stop); g++)
        ret[g] =
            (float)reduce_run(f, grouped.data + g * cut->group_size, cut->group_size, correction);
    tensor_release(&grouped);
    return g == cut->n_groups || error_set(reterr, ERR_INTERRUPTED, "reduce: stopped");
}

/* The kernels, where the reduction is large and its groups are more than a few numbers; or NULL. */
static const struct kernel *kernel_for(const struct cut *cut)
{
    enum { LEAST_GROUP = 32 };
    return cut->group_size < LEAST_GROUP ? NULL
                                         : kernel_for_numbers(cut->n_groups * cut->group_size);
}

bool tensor_reduce(enum reduction f, const struct tensor *x, unsigned axes, bool keep_axes,
                   double correction, const volatile sig_atomic_t *stop, struct tensor *ret,
                   struct error *reterr)
{
    unsigned all = (1U << x->n_axes) - 1;
    if (axes & ~all)
        return error_set(reterr, ERR_SHAPE, "reduce: there are only %u axes", x->n_axes);
    struct cut cut = cut_axes(x, axes ? axes : all, keep_axes);
    if (cut.group_size == 0 && cut.n_groups > 0 && needs_a_number(f))
        return error_set(
            reterr, ERR_RANGE,
            "max, min: of no numbers there is no largest or smallest; give at least one");
    struct tensor view = {0}, made = {0};
    const struct kernel *kernel = kernel_for(&cut);
    bool ok =
        tensor_permute(x, cut.order, &view, reterr) &&
        tensor_empty(cut.n_ret_axes, cut.ret_shape, &made, reterr) &&
        (kernel != NULL ? reduce_many(kernel, f, &view, &cut, correction, stop, made.data, reterr)
                        : reduce_few(f, &view, &cut, correction, stop, made.data, reterr));
    tensor_release(&view);
    if (!ok) {
        tensor_release(&made);
        return false;
    }
    made.is_bool = f == REDUCE_ALL || f == REDUCE_ANY;
    *ret = made;
    return true;
}
