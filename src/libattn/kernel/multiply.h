/* Batches of matrix products, with the work shared between threads. */
#ifndef ATTN_KERNEL_MULTIPLY_H
#define ATTN_KERNEL_MULTIPLY_H

#include "base/error.h"
#include "kernel/kernel.h"

/* Computes n products, whose results must not overlap. They are the same bits for any number of
 * threads. stop, if not NULL: once it is not 0, they are left unfinished and the answer is
 * ERR_INTERRUPTED. ERR_MEMORY. */
bool kernel_multiply(const struct kernel *kernel, const struct gemm *products, size_t n,
                     const volatile sig_atomic_t *stop, struct error *reterr);

#endif
