#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t j = n_k; j-- > 1;)
        for (size_t i = 0; i < j && i < n_q; i++)
            scores[i * n_k + j] = -1.0f / 0.0f;
}
