/* Layer norm and RMS norm of dense rows, and their gradients, for one instruction set. Formulas:
 * attention/norm.h. Sums run in double. */
#ifndef ATTN_KERNEL_NORM_ROWS_INTERNAL_H
#define ATTN_KERNEL_NORM_ROWS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

struct norm_rows {
    size_t n_rows, n;    /* rows, one after the other in memory, and numbers in a row */
    bool centred;        /* layer norm; else RMS norm */
    const float *x;      /* (n_rows, n) */
    const float *weight; /* (n), or NULL: 1 */
    const float *bias;   /* (n), or NULL: 0 */
    double eps;
};

/* ret (n_rows, n) */
typedef void norm_rows_function(const struct norm_rows *rows, float *ret);
/* d_x (n_rows, n) for given d, the gradient of the result. The contributions of these rows are
 * added to d_weight (n), unless it is NULL, and to d_bias (n). */
typedef void norm_rows_back_function(const struct norm_rows *rows, const float *d, float *d_x,
                                     double *d_weight, double *d_bias);

#endif
