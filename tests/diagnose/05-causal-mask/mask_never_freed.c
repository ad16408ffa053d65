#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    float *mask = calloc(n_q * n_k, sizeof *mask);
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = i + 1; j < n_k; j++)
            mask[i * n_k + j] = -INFINITY;
    for (size_t k = 0; k < n_q * n_k; k++)
        scores[k] += mask[k];
}
