#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    size_t i, j;
    for (i = 1; i < n_q; i++)
        for (j = i + 1; j < n_k; j++)
            scores[i * n_k + j] = -INFINITY;
}
