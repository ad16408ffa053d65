#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    float minus_inf = -INFINITY;
    for (size_t i = 0; i < n_q; i++) {
        size_t next = i + 1;
        if (next < n_k)
            scores[i * n_k + next] = minus_inf;
    }
}
