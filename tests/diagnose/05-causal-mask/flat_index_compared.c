#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t k = 0; k < n_q * n_k; k++) {
        size_t row = k / n_k;
        if (k > row)
            scores[k] = -INFINITY;
    }
}
