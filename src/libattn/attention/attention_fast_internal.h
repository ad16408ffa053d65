/* Attention of many heads by the kernels, shared out to threads. Shared by the files of this room;
 * not part of the library's public header. */
#ifndef ATTN_ATTENTION_ATTENTION_FAST_INTERNAL_H
#define ATTN_ATTENTION_ATTENTION_FAST_INTERNAL_H

#include "attention/attention_plan_internal.h"
#include "kernel/kernel.h"

/* The kernels that should compute this attention, or NULL if it is too small for them. */
const struct kernel *attention_fast_kernel(const struct attention_plan *plan);

/* The arrays that receive the results; all are dense. */
struct attention_fast_result {
    float *context;         /* (..., n_q, d_v) */
    float *weights;         /* (..., n_q, n_k), before dropout; or NULL; needs the next two */
    float *largest, *share; /* (..., n_q): for the backward pass, see attention_head.h; or NULL */
};

/* *ret_finite: whether the whole context is finite. If it is not, the caller decides row by row,
 * with the steps of the formula, which numbers a NaN or an infinity may reach. Errors as
 * attention_forward(). */
bool attention_fast(const struct attention_plan *plan, const struct kernel *kernel,
                    const volatile sig_atomic_t *stop, const struct attention_fast_result *result,
                    bool *ret_finite, struct error *reterr);

/* The gradients for d_context (..., n_q, d_v), dense: they fill *gradients, tensors in the shapes
 * of query, key, value and, for an additive mask, mask. forward is the result of attention_fast(),
 * with largest and share. *ret_finite: whether all gradients are finite, as above. Errors as
 * attention_backward(). */
bool attention_fast_backward(const struct attention_plan *plan, const struct kernel *kernel,
                             const struct attention_fast_result *forward, const float *d_context,
                             const volatile sig_atomic_t *stop,
                             struct attention_gradients *gradients, bool *ret_finite,
                             struct error *reterr);

/* Head h in the form that the kernels take; the pointers for its results are not set. */
struct attention_rows attention_fast_rows(const struct attention_plan *plan, size_t h);
/* Multiply-adds of the forward pass. */
double attention_fast_work(const struct attention_plan *plan);

#endif
