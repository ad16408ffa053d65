#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = i; j < n_k; j++)
            scores[i * n_k + j] = -INFINITY;
}
