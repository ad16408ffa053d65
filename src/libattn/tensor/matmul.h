/* Matrix products and their gradients. Conventions: tensor.h. */
#ifndef ATTN_TENSOR_MATMUL_H
#define ATTN_TENSOR_MATMUL_H

#include <signal.h>

#include "tensor/tensor.h"

/* ret = a @ b, numpy's and PyTorch's matmul: (..., n, k) @ (..., k, m) -> (..., n, m). Axes
 * before the last two broadcast. A vector on the left is a row, on the right a column, and its
 * axis is dropped from the result.
 *   stop  when not NULL, looked at now and then: once it is not 0 the product gives up with
 *         ERR_INTERRUPTED. A signal handler may set it.
 * ERR_SHAPE for a single number, or when the inner sizes differ. */
bool tensor_matmul(const struct tensor *a, const struct tensor *b,
                   const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr);

/* The same, but a number of `a` that is exactly 0 adds nothing, even where b is NaN or infinite:
 * a weight of zero means "not looked at". */
bool tensor_weighted_sum(const struct tensor *weights, const struct tensor *value,
                         const volatile sig_atomic_t *stop, struct tensor *ret,
                         struct error *reterr);

/* Gradients of out = a @ b for given d_out: d_a = d_out b^T and d_b = a^T d_out, summed over the
 * axes along which a or b was broadcast. ret_d_a or ret_d_b may be NULL; on failure neither is
 * filled. a and b have at least two axes. */
bool tensor_matmul_backward(const struct tensor *a, const struct tensor *b,
                            const struct tensor *d_out, struct tensor *ret_d_a,
                            struct tensor *ret_d_b, struct error *reterr);

/* Sums d over the axes along which `shape` was repeated to become d's shape: the gradient of
 * tensor_broadcast(). ERR_SHAPE if `shape` does not broadcast to d's. */
bool tensor_sum_to_shape(const struct tensor *d, unsigned n_axes, const size_t *shape,
                         const volatile sig_atomic_t *stop, struct tensor *ret,
                         struct error *reterr);

#endif
