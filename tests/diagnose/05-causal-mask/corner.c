#include <math.h>
#include <stddef.h>

/* the queries are the last n_q words */
void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    long offset = (long)n_k - (long)n_q;
    for (long i = 0; i < (long)n_q; i++) {
        float *row = scores + i * n_k;
        for (long j = 0; j < (long)n_k; j++)
            if (j > i + offset)
                row[j] = -INFINITY;
    }
}
