/* Functions applied number by number to arrays of any strides, with the work shared between
 * threads. */
#ifndef ATTN_KERNEL_APPLY_H
#define ATTN_KERNEL_APPLY_H

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/strided.h"

/* ret[i] = f of number i of each input; steps count floats from one number to the next. */
typedef void plain_function(size_t n, const float *const *from, const ptrdiff_t *steps, float *ret);

struct application {
    const struct kernel *kernel; /* computes f; or NULL, and the plain function does */
    enum element f;
    plain_function *plain;
    unsigned n_inputs;
    struct strided inputs[ELEMENT_INPUTS]; /* all of one shape */
    size_t size;                           /* their numbers, at least 1 */
    float *ret;                            /* dense */
};

/* The numbers are the same bits for any number of threads. stop, if not NULL: once it is not 0, the
 * rest is left undone and the answer is ERR_INTERRUPTED. ERR_MEMORY. */
bool kernel_apply(const struct application *application, const volatile sig_atomic_t *stop,
                  struct error *reterr);

#endif
