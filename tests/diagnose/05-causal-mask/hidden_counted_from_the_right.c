#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t i = 0; i < n_q; i++) {
        size_t hide = n_q - 1 - i;
        for (size_t k = 1; k <= hide && k <= n_k; k++)
            scores[i * n_k + n_k - k] = -INFINITY;
    }
}
