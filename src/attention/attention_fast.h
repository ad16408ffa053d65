/* Attention of many heads by the kernels, shared out to threads. Shared by the files of this room;
 * not part of the library's public header. */
#ifndef ATTN_ATTENTION_ATTENTION_FAST_H
#define ATTN_ATTENTION_ATTENTION_FAST_H

#include "attention/attention_plan.h"
#include "kernel/kernel.h"

/* The kernels that may compute this, or NULL: there is too little to do, or a number is NaN or
 * infinite, and what such a number may reach is decided row by row. */
const struct kernel *attention_fast_kernel(const struct attention_plan *plan);

/* The context, dense (..., n_q, d_v). Errors as attention_forward(). */
bool attention_fast(const struct attention_plan *plan, const struct kernel *kernel,
                    const volatile sig_atomic_t *stop, float *context, struct error *reterr);

#endif
