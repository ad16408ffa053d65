/* Layer norm and RMS norm of the rows along the last axis, and their gradients. Conventions:
 * tensor/tensor.h.
 *
 *   layer norm   y = (x - mean(x)) / sqrt(var(x) + eps) * weight + bias, var by n and not n - 1
 *   RMS norm     y = x / sqrt(mean(x^2) + eps) * weight + bias
 *
 * Sources: Ba, Kiros and Hinton 2016, "Layer Normalization"; Zhang and Sennrich 2019, "Root Mean
 * Square Layer Normalization". */
#ifndef ATTN_ATTENTION_NORM_H
#define ATTN_ATTENTION_NORM_H

#include <signal.h>

#include "tensor/tensor.h"

/* The rows to norm, and the options. The tensors stay the caller's and are only read. */
struct norm {
    const struct tensor *x;      /* (..., n) */
    const struct tensor *weight; /* (n), or NULL: 1 */
    const struct tensor *bias;   /* (n), or NULL: 0 */
    bool centred;                /* layer norm; else RMS norm */
    double eps;
};

/* *ret (..., n). stop, here and below: looked at between rows, when not NULL; once it is not 0,
 * ERR_INTERRUPTED. ERR_SHAPE when the sizes do not fit. */
bool norm_forward(const struct norm *norm, const volatile sig_atomic_t *stop, struct tensor *ret,
                  struct error *reterr);

/* The gradients for given d, the gradient of the result, joined in a tensor of one axis: first that
 * of x, then those of weight and of bias, if the norm has them. Errors as above, and ERR_SHAPE when
 * d has another shape than x. */
bool norm_backward(const struct norm *norm, const struct tensor *d,
                   const volatile sig_atomic_t *stop, struct tensor *ret, struct error *reterr);

#endif
