/* Reductions of arrays of any strides, with the work shared between threads; numbers are copied
 * only in chunks that stay in the caches. */
#ifndef ATTN_KERNEL_REDUCE_H
#define ATTN_KERNEL_REDUCE_H

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/strided.h"

struct reduction_work {
    const struct kernel *kernel;
    /* Groups of numbers: the first number of each group, (n_groups), and the numbers of a group,
     * (group_size). Both count from kept.data; reduced.data is not read. */
    struct strided kept, reduced;
    size_t n_groups, group_size; /* at least 1 */
    bool is_extreme;             /* an extreme; else f */
    bool smallest, wants_place;  /* the smallest, else the largest; the position of the first one
                                  * instead of it */
    enum fold f;                 /* FOLD_SQUARES: around the mean of the group */
    float (*finish)(const struct reduction_work *work, double folded); /* for f */
    double divisor;                                                    /* for finish */
    float *ret;                                                        /* (n_groups) */
};

/* The numbers are the same bits for any number of threads. stop, if not NULL: once it is not 0, the
 * rest is left undone and the answer is ERR_INTERRUPTED. ERR_MEMORY. */
bool kernel_reduce(const struct reduction_work *work, const volatile sig_atomic_t *stop,
                   struct error *reterr);

#endif
