/* Batches of matrix products, shared out to threads. */
#ifndef ATTN_KERNEL_MULTIPLY_H
#define ATTN_KERNEL_MULTIPLY_H

#include "base/error.h"
#include "kernel/kernel.h"

/* All n products, whose results overlap nothing. They are the same bits for any number of threads.
 * stop: when not NULL, once it is not 0 they are left unfinished: ERR_INTERRUPTED. ERR_MEMORY. */
bool kernel_multiply(const struct kernel *kernel, const struct gemm *products, size_t n,
                     const volatile sig_atomic_t *stop, struct error *reterr);

#endif
