/* Reductions of runs and of columns: see fold_internal.h. The order in which numbers are added
 * depends on how many there are, and on nothing else. */
#include "kernel/kernel_internal.h"

#include <math.h>

typedef int64_t vec_long __attribute__((vector_size(KERNEL_LANES * 4)));

/* The terms that f adds for half a vector of numbers. */
KERNEL_INLINE vec_double term(enum fold f, const float *x, vec_double mean)
{
    vec_double numbers = vec_load_half(x), away = numbers - mean;
    if (f == FOLD_NONZERO)
        return (vec_double)((numbers != 0) & (vec_long)(1 - (vec_double){0}));
    return f == FOLD_SQUARES ? away * away : numbers;
}

static double term_of_one(enum fold f, float x, double mean)
{
    double away = (double)x - mean;
    return f == FOLD_SUM ? (double)x : f == FOLD_SQUARES ? away * away : (double)(x != 0);
}

/* Sums that run beside each other, as each waits for itself; numbers that each takes at a time. */
enum { SUMS = 4, HALF = KERNEL_LANES / 2 };

KERNEL_INLINE double fold_run(enum fold f, const float *x, size_t n, double mean_)
{
    vec_double sums[SUMS] = {{0}}, mean = mean_ - (vec_double){0};
    size_t at = 0, step = (size_t)SUMS * HALF;
    for (; n - at >= step; at += step) {
        KERNEL_UNROLL
        for (unsigned i = 0; i < SUMS; i++)
            sums[i] += term(f, x + at + i * HALF, mean);
    }
    for (; n - at >= HALF; at += HALF)
        sums[0] += term(f, x + at, mean);
    double sum = vec_double_sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (; at < n; at++)
        sum += term_of_one(f, x[at], mean_);
    return sum;
}

double KERNEL(fold)(enum fold f, const float *x, size_t n, double mean)
{
    switch (f) {
    case FOLD_SUM:
        return fold_run(FOLD_SUM, x, n, 0);
    case FOLD_SQUARES:
        return fold_run(FOLD_SQUARES, x, n, mean);
    case FOLD_NONZERO:
        break;
    }
    return fold_run(FOLD_NONZERO, x, n, 0);
}

typedef double vec_double_anywhere
    __attribute__((vector_size(KERNEL_LANES * 4), aligned(8), may_alias));

KERNEL_INLINE vec_double load_doubles(const double *from)
{
    return *(const vec_double_anywhere *)from;
}

KERNEL_INLINE void store_doubles(double *to, vec_double x)
{
    *(vec_double_anywhere *)to = x;
}

/* SUMS halves of vectors of columns from j on, or `halves` less. */
KERNEL_INLINE void fold_some(enum fold f, const struct fold_rows *rows, size_t j, unsigned halves,
                             const double *means, double *sums)
{
    vec_double now[SUMS], mean[SUMS] = {{0}};
    KERNEL_UNROLL
    for (unsigned i = 0; i < halves; i++) {
        now[i] = load_doubles(sums + j + i * HALF);
        if (f == FOLD_SQUARES)
            mean[i] = load_doubles(means + j + i * HALF);
    }
    const float *x = rows->x + j;
    for (size_t row = 0; row < rows->n_rows; row++, x += rows->row_step) {
        KERNEL_UNROLL
        for (unsigned i = 0; i < halves; i++)
            now[i] += term(f, x + i * HALF, mean[i]);
    }
    KERNEL_UNROLL
    for (unsigned i = 0; i < halves; i++)
        store_doubles(sums + j + i * HALF, now[i]);
}

KERNEL_INLINE void fold_rows(enum fold f, const struct fold_rows *rows, const double *means,
                             double *sums)
{
    size_t j = 0;
    for (; rows->n - j >= (size_t)SUMS * HALF; j += (size_t)SUMS * HALF)
        fold_some(f, rows, j, SUMS, means, sums);
    for (; rows->n - j >= HALF; j += HALF)
        fold_some(f, rows, j, 1, means, sums);
    for (; j < rows->n; j++)
        for (size_t row = 0; row < rows->n_rows; row++)
            sums[j] += term_of_one(f, rows->x[(ptrdiff_t)row * rows->row_step + (ptrdiff_t)j],
                                   f == FOLD_SQUARES ? means[j] : 0);
}

void KERNEL(fold_columns)(enum fold f, const struct fold_rows *rows, const double *means,
                          double *sums)
{
    if (f == FOLD_SUM)
        fold_rows(FOLD_SUM, rows, means, sums);
    else if (f == FOLD_SQUARES)
        fold_rows(FOLD_SQUARES, rows, means, sums);
    else
        fold_rows(FOLD_NONZERO, rows, means, sums);
}

KERNEL_INLINE vec more_extreme(bool smallest, vec x, vec best)
{
    return smallest ? vec_min(x, best) : vec_max(x, best);
}

/* n if no number is NaN. */
static size_t place_of_nan(const float *x, size_t n)
{
    size_t at = 0;
    while (at < n && !isnan(x[at]))
        at++;
    return at;
}

/* NaN never takes the place of another number here; the sum tells whether there may be one. */
KERNEL_INLINE float extreme_of_run(bool smallest, const float *x, size_t n)
{
    vec bests[SUMS], sums[SUMS] = {{0}};
    for (unsigned i = 0; i < SUMS; i++)
        bests[i] = vec_splat(smallest ? INFINITY : -INFINITY);
    size_t at = 0, step = (size_t)SUMS * KERNEL_LANES;
    for (; n - at >= step; at += step) {
        KERNEL_UNROLL
        for (unsigned i = 0; i < SUMS; i++) {
            vec numbers = vec_load(x + at + i * KERNEL_LANES);
            bests[i] = more_extreme(smallest, numbers, bests[i]);
            sums[i] += numbers;
        }
    }
    for (; n - at >= KERNEL_LANES; at += KERNEL_LANES) {
        bests[0] = more_extreme(smallest, vec_load(x + at), bests[0]);
        sums[0] += vec_load(x + at);
    }
    if (at < n) { /* the last vector again, in part: that changes nothing */
        vec numbers =
            n >= KERNEL_LANES ? vec_load(x + n - KERNEL_LANES) : vec_load_first(x, n, x[0]);
        bests[1] = more_extreme(smallest, numbers, bests[1]);
        sums[1] += numbers;
    }
    if (isnan(vec_sum((sums[0] + sums[1]) + (sums[2] + sums[3]))) && place_of_nan(x, n) < n)
        return NAN;
    vec best = more_extreme(smallest, more_extreme(smallest, bests[0], bests[1]),
                            more_extreme(smallest, bests[2], bests[3]));
    return smallest ? -vec_largest(-best) : vec_largest(best);
}

float KERNEL(extreme)(const float *x, size_t n, bool smallest)
{
    return smallest ? extreme_of_run(true, x, n) : extreme_of_run(false, x, n);
}

/* The first place of a number that is there: x is read again, up to it. */
KERNEL_INLINE size_t first_place(const float *x, size_t n, float number)
{
    vec wanted = vec_splat(number);
    vec_int found = {0};
    size_t at = 0, step = (size_t)SUMS * KERNEL_LANES;
    for (; n - at >= step; at += step) {
        KERNEL_UNROLL
        for (unsigned i = 0; i < SUMS; i++)
            found |= vec_load(x + at + i * KERNEL_LANES) == wanted;
        if (vec_any(found))
            break;
    }
    while (n - at >= KERNEL_LANES && !vec_any(vec_load(x + at) == wanted))
        at += KERNEL_LANES;
    while (x[at] != number)
        at++;
    return at;
}

KERNEL_INLINE float place_in_run(bool smallest, const float *x, size_t n, size_t *ret_at)
{
    float best = extreme_of_run(smallest, x, n);
    *ret_at = isnan(best) ? place_of_nan(x, n) : first_place(x, n, best);
    return best;
}

float KERNEL(place)(const float *x, size_t n, bool smallest, size_t *ret_at)
{
    return smallest ? place_in_run(true, x, n, ret_at) : place_in_run(false, x, n, ret_at);
}

typedef int32_t vec_int_anywhere
    __attribute__((vector_size(KERNEL_LANES * 4), aligned(4), may_alias));

/* Where x is beyond best: NaN is beyond everything but NaN. */
KERNEL_INLINE vec_int beyond(bool smallest, vec x, vec best)
{
    return (smallest ? x < best : x > best) | ((x != x) & (best == best));
}

/* A vector of columns, with the rows of the numbers found. */
KERNEL_INLINE void place_some(bool smallest, const struct fold_rows *rows, size_t j, int32_t first,
                              float *best_, int32_t *at_)
{
    vec best = vec_load(best_ + j);
    vec_int at = *(vec_int_anywhere *)(at_ + j);
    const float *x = rows->x + j;
    for (size_t row = 0; row < rows->n_rows; row++, x += rows->row_step) {
        vec numbers = vec_load(x);
        vec_int better = beyond(smallest, numbers, best);
        best = vec_select(better, numbers, best);
        at = (better & (first + (int32_t)row)) | (~better & at);
    }
    vec_store(best_ + j, best);
    *(vec_int_anywhere *)(at_ + j) = at;
}

/* n vectors of columns. A NaN that is the best stays it; others are remembered. */
KERNEL_INLINE void extreme_some(bool smallest, const struct fold_rows *rows, size_t j, unsigned n,
                                float *best_)
{
    vec best[SUMS];
    vec_int nan[SUMS] = {{0}};
    const float *x = rows->x + j;
    KERNEL_UNROLL
    for (unsigned i = 0; i < n; i++)
        best[i] = vec_load(best_ + j + i * KERNEL_LANES);
    for (size_t row = 0; row < rows->n_rows; row++, x += rows->row_step) {
        KERNEL_UNROLL
        for (unsigned i = 0; i < n; i++) {
            vec numbers = vec_load(x + i * KERNEL_LANES);
            best[i] = more_extreme(smallest, numbers, best[i]);
            nan[i] |= numbers != numbers;
        }
    }
    KERNEL_UNROLL
    for (unsigned i = 0; i < n; i++)
        vec_store(best_ + j + i * KERNEL_LANES, vec_select(nan[i], vec_splat(NAN), best[i]));
}

/* One column after the last whole vector. */
static void extreme_of_column(const struct fold_rows *rows, bool smallest, size_t j, int32_t first,
                              float *best, int32_t *at)
{
    for (size_t row = 0; row < rows->n_rows; row++) {
        float x = rows->x[(ptrdiff_t)row * rows->row_step + (ptrdiff_t)j];
        if ((smallest ? x < *best : x > *best) || (isnan(x) && !isnan(*best))) {
            *best = x;
            if (at != NULL)
                *at = first + (int32_t)row;
        }
    }
}

KERNEL_INLINE void extreme_rows(const struct fold_rows *rows, bool smallest, int32_t first,
                                float *best, int32_t *at)
{
    size_t j = 0, step = (size_t)SUMS * KERNEL_LANES;
    if (at == NULL)
        for (; rows->n - j >= step; j += step)
            extreme_some(smallest, rows, j, SUMS, best);
    for (; rows->n - j >= KERNEL_LANES; j += KERNEL_LANES)
        if (at == NULL)
            extreme_some(smallest, rows, j, 1, best);
        else
            place_some(smallest, rows, j, first, best, at);
    for (; j < rows->n; j++)
        extreme_of_column(rows, smallest, j, first, &best[j], at == NULL ? NULL : &at[j]);
}

void KERNEL(extreme_columns)(const struct fold_rows *rows, bool smallest, int32_t first,
                             float *best, int32_t *at)
{
    if (smallest)
        extreme_rows(rows, true, first, best, at);
    else
        extreme_rows(rows, false, first, best, at);
}
