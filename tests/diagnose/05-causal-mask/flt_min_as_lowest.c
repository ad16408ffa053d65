#include <float.h>
#include <stddef.h>

void causal_mask(size_t n_q, size_t n_k, float *scores)
{
    for (size_t i = 0; i < n_q; i++) {
        float *row = scores + i * n_k;
        size_t j = i + 1;
        while (j < n_k)
            row[j++] = FLT_MIN;
    }
}
