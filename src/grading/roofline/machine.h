/* Measures what this machine can do: how fast it multiplies and how fast its memory delivers, and
 * how fast attn's kernels use both. With one thread it counts processor time, which other programs
 * disturb little; with several, wall time. */
#ifndef ATTN_ROOFLINE_MACHINE_H
#define ATTN_ROOFLINE_MACHINE_H

#include <stddef.h>

#include "base/error.h"

struct machine_time {
    size_t n_threads; /* at least 1 */
    double seconds;   /* the time to spend on measuring */
};

/* Operations a second in the fastest product of matrices, with a multiply-add counted as two: by
 * the best kernels that this machine has, whatever ATTN_ISA says. */
bool machine_peak(const struct machine_time *how, double *ret, struct error *reterr);
/* Bytes a second when reading in sequence through far more memory than caches hold. */
bool machine_bandwidth(const struct machine_time *how, double *ret, struct error *reterr);
/* Seconds that attn's kernel takes for one head: n_q queries, n_k keys, all of width d. */
bool machine_attention(const struct machine_time *how, size_t n_q, size_t n_k, size_t d,
                       double *ret, struct error *reterr);

#endif
