/* Softmax of many rows of any strides, with the work shared between threads. */
#ifndef ATTN_KERNEL_SOFTMAX_H
#define ATTN_KERNEL_SOFTMAX_H

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/strided.h"

/* The first number of each row, over all axes except the one that softmax runs along, and the
 * distance in floats between two numbers of a row. */
struct softmax_rows {
    struct strided starts; /* (n_rows) */
    ptrdiff_t step;
};

struct softmax_work {
    const struct kernel *kernel;
    enum softmax_form form;
    size_t n_rows, n;        /* rows, and numbers in one; at least 1 */
    struct softmax_rows x;   /* the scores, or y */
    struct softmax_rows d;   /* the gradient of y, for gradients */
    struct softmax_rows ret; /* the results, relative to `to`; starts.data is not read */
    float *to;
};

/* The numbers are the same bits for any number of threads. stop, if not NULL: once it is not 0, the
 * rest is left undone and the answer is ERR_INTERRUPTED. ERR_MEMORY. */
bool kernel_softmax(const struct softmax_work *work, const volatile sig_atomic_t *stop,
                    struct error *reterr);

#endif
