/* Visits only what is to be hidden, column by column. */
#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t j = 1; j < n_k; j++) {
        for (size_t i = 0; i < j && i < n_q; i++)
            scores[i * n_k + j] = -INFINITY;
    }
}
