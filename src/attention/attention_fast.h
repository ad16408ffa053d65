/* Attention of many heads by the kernels, shared out to threads. Shared by the files of this room;
 * not part of the library's public header. */
#ifndef ATTN_ATTENTION_ATTENTION_FAST_H
#define ATTN_ATTENTION_ATTENTION_FAST_H

#include "attention/attention_plan.h"
#include "kernel/kernel.h"

/* The kernels that are to compute this, or NULL where there is too little to do. */
const struct kernel *attention_fast_kernel(const struct attention_plan *plan);

/* Where the results go, dense. */
struct attention_fast_result {
    float *context;         /* (..., n_q, d_v) */
    float *weights;         /* (..., n_q, n_k), before dropout; or NULL; needs the next two */
    float *largest, *share; /* (..., n_q): for the way back, see struct attention_rows; or NULL */
};

/* *ret_finite: whether the context is all finite. Where it is not, what NaN or infinity may reach
 * is for the steps as they read to decide, row by row. Errors as attention_forward(). */
bool attention_fast(const struct attention_plan *plan, const struct kernel *kernel,
                    const volatile sig_atomic_t *stop, const struct attention_fast_result *result,
                    bool *ret_finite, struct error *reterr);

/* The gradients for d_context (..., n_q, d_v), dense: they fill *gradients, tensors in the shapes
 * of query, key, value and, for an additive mask, mask. forward is what attention_fast() gave, with
 * largest and share. *ret_finite: whether all of them are, as above. Errors as
 * attention_backward(). */
bool attention_fast_backward(const struct attention_plan *plan, const struct kernel *kernel,
                             const struct attention_fast_result *forward, const float *d_context,
                             const volatile sig_atomic_t *stop,
                             struct attention_gradients *gradients, bool *ret_finite,
                             struct error *reterr);

/* Head h as the kernels take it, with no place for its results. */
struct attention_rows attention_fast_rows(const struct attention_plan *plan, size_t h);
/* Multiply-adds of the way forward. */
double attention_fast_work(const struct attention_plan *plan);

#endif
