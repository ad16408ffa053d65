#include <math.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    float *p = scores;
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            *p++ = j > i ? -INFINITY : 0.0f;
}
