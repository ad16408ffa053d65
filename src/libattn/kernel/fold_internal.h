/* Sums, extremes and similar reductions of dense runs of numbers, and of columns row by row, for
 * one instruction set. Sums run in double. */
#ifndef ATTN_KERNEL_FOLD_INTERNAL_H
#define ATTN_KERNEL_FOLD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fold {
    FOLD_SUM,
    FOLD_SQUARES, /* of each number's distance from a mean */
    FOLD_NONZERO, /* the number of elements that are not 0 */
};

/* Folds x[0..n). */
typedef double fold_function(enum fold f, const float *x, size_t n, double mean);
/* Rows of n numbers, row_step apart. */
struct fold_rows {
    const float *x;
    ptrdiff_t row_step;
    size_t n_rows, n;
};
/* Adds the rows to sums[0..n), one for each column. means: only FOLD_SQUARES reads it. */
typedef void fold_columns_function(enum fold f, const struct fold_rows *rows, const double *means,
                                   double *sums);

/* The largest of x[0..n), n > 0, or with `smallest` the smallest; NaN when one is NaN. */
typedef float extreme_function(const float *x, size_t n, bool smallest);
/* The same, and the position of the first one; n <= 2^24. */
typedef float place_function(const float *x, size_t n, bool smallest, size_t *ret_at);
/* For each column i, a number beyond best[i], or the first NaN, becomes best[i], and at[i] its row,
 * counted from first. at may be NULL. */
typedef void extreme_columns_function(const struct fold_rows *rows, bool smallest, int32_t first,
                                      float *best, int32_t *at);

#endif
