/* Softmax: scores become weights that are positive and sum to 1. Conventions: tensor/tensor.h.
 *
 *   softmax(x)_j = exp(x_j - max) / sum_k exp(x_k - max),   max = the largest x_k
 *
 * Subtracting the maximum changes nothing mathematically (it cancels) and keeps exp() at 1 or
 * below, so scores of 10000 do not overflow. Source: Goodfellow, Bengio and Courville 2016, "Deep
 * Learning", section 4.1; with a mask: Vaswani et al. 2017, "Attention Is All You Need", 3.2.3.
 *
 * Rows that hold more than ordinary numbers give:
 *
 *   row                                softmax   log_softmax   softmax_weights
 *   -inf beside finite scores          0 there   -inf there    0 there
 *   every score -inf                   NaN       NaN           0
 *   some score NaN or +inf             NaN       NaN           NaN      (the whole row)
 *
 * The first two columns are PyTorch's. The third is what attention needs: -inf says "hidden", and a
 * query that may see no key gives no weight to any. */
#ifndef ATTN_ATTENTION_SOFTMAX_H
#define ATTN_ATTENTION_SOFTMAX_H

#include <signal.h>

#include "tensor/tensor.h"

/* ret = softmax of x along the axis that dim names (-1 is the last); shape of x. ERR_SHAPE if x
 * does not have this axis. A single number counts as a row of one. stop, here and below, if not
 * NULL: read between rows; once it is not 0, ERR_INTERRUPTED. */
bool softmax_forward(const struct tensor *x, ptrdiff_t dim, const volatile sig_atomic_t *stop,
                     struct tensor *ret, struct error *reterr);

/* ret = log(softmax(x)) along dim, as x - max - log(sum): exact where softmax underflows to 0. */
bool log_softmax_forward(const struct tensor *x, ptrdiff_t dim, const volatile sig_atomic_t *stop,
                         struct tensor *ret, struct error *reterr);

/* ret = softmax of x along dim, but zeros for a row with every score -inf: see the table above. */
bool softmax_weights(const struct tensor *x, ptrdiff_t dim, const volatile sig_atomic_t *stop,
                     struct tensor *ret, struct error *reterr);

/* The gradient of the scores, for y = softmax(x) or softmax_weights(x) along dim and the gradient
 * d_y of y: d_x = y * (d_y - sum(d_y * y)). ERR_SHAPE when y and d_y differ in shape. */
bool softmax_backward(const struct tensor *y, const struct tensor *d_y, ptrdiff_t dim,
                      const volatile sig_atomic_t *stop, struct tensor *ret_d_x,
                      struct error *reterr);

/* The same for y = log_softmax(x): d_x = d_y - exp(y) * sum(d_y). */
bool log_softmax_backward(const struct tensor *y, const struct tensor *d_y, ptrdiff_t dim,
                          const volatile sig_atomic_t *stop, struct tensor *ret_d_x,
                          struct error *reterr);

/* softmax_weights() of one row: scores[0..n) to weights[0..n), which may be the same array. */
void softmax_row(const float *scores, size_t n, float *weights);

#endif
