/* Reductions of arrays of any strides, shared out to threads; no numbers are copied but in chunks
 * that stay in the caches. */
#ifndef ATTN_KERNEL_REDUCE_H
#define ATTN_KERNEL_REDUCE_H

#include "base/error.h"
#include "kernel/kernel.h"
#include "kernel/strided.h"

struct reduction_work {
    const struct kernel *kernel;
    /* Groups of numbers: where each begins, (n_groups), and the numbers of one, (group_size). Both
     * are counted from kept.data; reduced.data is not read. */
    struct strided kept, reduced;
    size_t n_groups, group_size; /* at least 1 */
    bool is_extreme;             /* else f */
    bool smallest, wants_place;  /* the extreme, or where in the group it comes first */
    enum fold f;                 /* FOLD_SQUARES: around the mean of the group */
    float (*finish)(const struct reduction_work *work, double folded); /* for f */
    double divisor;                                                    /* for finish */
    float *ret;                                                        /* (n_groups) */
};

/* The numbers are the same bits for any number of threads. stop: when not NULL, once it is not 0
 * the rest is left: ERR_INTERRUPTED. ERR_MEMORY. */
bool kernel_reduce(const struct reduction_work *work, const volatile sig_atomic_t *stop,
                   struct error *reterr);

#endif
