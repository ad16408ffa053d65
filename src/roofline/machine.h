/* What this machine can do, measured: how fast it multiplies and how fast its memory delivers, and
 * how fast attn's kernels use both. Processor time counts where one thread works, so that others on
 * the machine take little away; the clock on the wall where several do. */
#ifndef ATTN_ROOFLINE_MACHINE_H
#define ATTN_ROOFLINE_MACHINE_H

#include <stddef.h>

#include "base/error.h"

struct machine_time {
    size_t n_threads; /* at least 1 */
    double seconds;   /* to spend on measuring */
};

/* Operations in a second of the fastest product of matrices, a multiply-add being two: by the best
 * kernels that this machine has, whatever ATTN_ISA says. */
bool machine_peak(const struct machine_time *how, double *ret, struct error *reterr);
/* Bytes in a second that are read one after the other, from far more of them than caches hold. */
bool machine_bandwidth(const struct machine_time *how, double *ret, struct error *reterr);
/* Seconds that attn's kernel takes for one head: n_q queries, n_k keys, all of width d. */
bool machine_attention(const struct machine_time *how, size_t n_q, size_t n_k, size_t d,
                       double *ret, struct error *reterr);

#endif
