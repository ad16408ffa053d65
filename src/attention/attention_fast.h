/* Attention of many heads by the kernels, shared out to threads. Shared by the files of this room;
 * not part of the library's public header. */
#ifndef ATTN_ATTENTION_ATTENTION_FAST_H
#define ATTN_ATTENTION_ATTENTION_FAST_H

#include "attention/attention_plan.h"
#include "kernel/kernel.h"

/* The kernels that are to compute this, or NULL where there is too little to do. */
const struct kernel *attention_fast_kernel(const struct attention_plan *plan);

/* Where the results go, dense. Where they are finite they are right; what NaN or infinity may reach
 * is decided row by row, by the steps as they read. */
struct attention_fast_result {
    float *context;         /* (..., n_q, d_v) */
    float *weights;         /* (..., n_q, n_k), before dropout; or NULL; needs the next two */
    float *largest, *share; /* (..., n_q): for the way back, see struct attention_rows; or NULL */
};

/* Errors as attention_forward(). */
bool attention_fast(const struct attention_plan *plan, const struct kernel *kernel,
                    const volatile sig_atomic_t *stop, const struct attention_fast_result *result,
                    struct error *reterr);

/* The gradients for d_context (..., n_q, d_v), dense, which are added to *gradients:
 * tensors of zeros in the shapes of query, key, value and, for an additive mask, mask. forward is
 * what attention_fast() gave, with largest and share. Errors as attention_backward(). */
bool attention_fast_backward(const struct attention_plan *plan, const struct kernel *kernel,
                             const struct attention_fast_result *forward, const float *d_context,
                             const volatile sig_atomic_t *stop,
                             struct attention_gradients *gradients, struct error *reterr);

/* Head h as the kernels take it, with no place for its results. */
struct attention_rows attention_fast_rows(const struct attention_plan *plan, size_t h);
/* Multiply-adds of the way forward. */
double attention_fast_work(const struct attention_plan *plan);

#endif
