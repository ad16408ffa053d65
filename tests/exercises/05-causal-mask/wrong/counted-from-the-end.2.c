#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    long past = (long)n_k - (long)n_q;
    for (long i = 0; i < (long)n_q; i++) {
        for (long j = 0; j < (long)n_k; j++) {
            if (j > past + i)
                scores[i * (long)n_k + j] = -INFINITY;
        }
    }
}
