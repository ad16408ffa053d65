/* Softmax of one dense row, and its gradients, for one instruction set. attention/softmax.h has the
 * formulas, and says what rows with infinities or NaN give. Sums run in double. */
#ifndef ATTN_KERNEL_SOFTMAX_ROW_INTERNAL_H
#define ATTN_KERNEL_SOFTMAX_ROW_INTERNAL_H

#include <stddef.h>

enum softmax_form {
    SOFTMAX_PLAIN,
    SOFTMAX_WEIGHTS, /* zeros if every score is -inf */
    SOFTMAX_LOG,
    SOFTMAX_GRADIENT,     /* of the scores, from y and its gradient d */
    SOFTMAX_LOG_GRADIENT, /* the same for y = log_softmax */
};

/* ret[0..n) from x[0..n), the scores or y, and d[0..n), which only gradients read. ret may be x or
 * d. */
typedef void softmax_row_function(enum softmax_form form, const float *x, const float *d, size_t n,
                                  float *ret);

/* -log(softmax(x)) at a target < n: attention/cross_entropy.h. */
typedef float loss_row_function(const float *x, size_t n, size_t target);
/* Its gradient times d: ret[0..n), which may be x. */
typedef void loss_row_back_function(const float *x, size_t n, size_t target, float d, float *ret);

/* to (n_columns, n_rows) = the transpose of from (n_rows, n_columns). Rows are dense; from_row and
 * to_row are the floats from one row to the next. */
typedef void transpose_function(const float *from, ptrdiff_t from_row, size_t n_rows,
                                size_t n_columns, float *to, ptrdiff_t to_row);

#endif
