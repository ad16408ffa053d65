/* Layer norm and RMS norm of dense rows, and their gradients, as one instruction set computes them.
 * Formulas: attention/norm.h. Sums run in double. */
#ifndef ATTN_KERNEL_NORM_ROWS_H
#define ATTN_KERNEL_NORM_ROWS_H

#include <stdbool.h>
#include <stddef.h>

struct norm_rows {
    size_t n_rows, n;    /* rows, which lie one after the other, and numbers in one */
    bool centred;        /* layer norm; else RMS norm */
    const float *x;      /* (n_rows, n) */
    const float *weight; /* (n), or NULL: 1 */
    const float *bias;   /* (n), or NULL: 0 */
    double eps;
};

/* ret (n_rows, n) */
typedef void norm_rows_function(const struct norm_rows *rows, float *ret);
/* d_x (n_rows, n) for given d, the gradient of the result. To d_weight (n), where it is not NULL,
 * and d_bias (n) what these rows give is added. */
typedef void norm_rows_back_function(const struct norm_rows *rows, const float *d, float *d_x,
                                     double *d_weight, double *d_bias);

#endif
