/* The linear map of a layer, and its gradients: out = x W + b, rows of x on the left as in the
 * papers. PyTorch's nn.Linear stores W transposed: give it as tensor_transpose(W, 0, 1).
 * Conventions: tensor/tensor.h. */
#ifndef ATTN_ATTENTION_LINEAR_H
#define ATTN_ATTENTION_LINEAR_H

#include <signal.h>

#include "tensor/tensor.h"

/* ret (..., n, d_out) = x W + b.
 *
 *   x (..., n, d_in)   weight (d_in, d_out)   bias (d_out) or NULL
 *
 * stop as in tensor_matmul(). ERR_SHAPE when the sizes do not fit. */
bool linear_forward(const struct tensor *x, const struct tensor *weight, const struct tensor *bias,
                    const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr);

/* Gradients for given d_out, the gradient of out: d_x = d_out W^T, d_weight = x^T d_out and d_bias
 * = the sum of d_out's rows, the last two summed over all leading axes. Each ret may be NULL; all
 * that are asked for are filled, or none. ERR_SHAPE when the sizes do not fit. */
bool linear_backward(const struct tensor *x, const struct tensor *weight,
                     const struct tensor *d_out, struct tensor *ret_d_x,
                     struct tensor *ret_d_weight, struct tensor *ret_d_bias, struct error *reterr);

#endif
