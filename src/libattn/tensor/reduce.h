/* Sums, extremes and similar reductions over one or more axes. Conventions: tensor.h. */
#ifndef ATTN_TENSOR_REDUCE_H
#define ATTN_TENSOR_REDUCE_H

#include <signal.h>

#include "tensor/tensor.h"

enum reduction {
    REDUCE_SUM,
    REDUCE_MEAN, /* NaN over no numbers */
    REDUCE_VAR,  /* variance around the mean, in two passes; see correction */
    REDUCE_STD,  /* its square root */
    REDUCE_MAX,  /* NaN when any number is NaN */
    REDUCE_MIN,
    REDUCE_ARGMAX, /* position of the first maximum among the reduced numbers, row-major; a NaN
                    * counts as the maximum. Exact up to 2^24 */
    REDUCE_ARGMIN,
    REDUCE_ALL, /* bool: no number is 0 */
    REDUCE_ANY, /* bool: at least one number is not 0 */
    REDUCE_COUNT
};

/* Reduces the axes whose bit is set in axes (bit i is axis i); 0 means all of them. With keep_axes
 * they stay as axes of 1, else they disappear. correction is subtracted from the count in the
 * divisor of REDUCE_VAR and REDUCE_STD (PyTorch's default is 1); others ignore it. ERR_RANGE for an
 * extreme over no numbers, ERR_SHAPE for a bit beyond the axes. stop, if not NULL: read between
 * parts of the work; once it is not 0, ERR_INTERRUPTED. */
bool tensor_reduce(enum reduction f, const struct tensor *x, unsigned axes, bool keep_axes,
                   double correction, const volatile sig_atomic_t *stop, struct tensor *ret,
                   struct error *reterr);

#endif
