#include <stddef.h>
#include <string.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        size_t best = 0;
        for (size_t j = 1; j < n_k; j++)
            if (weights[i * n_k + j] > weights[i * n_k + best])
                best = j;
        memcpy(context + i * d_v, value + best * d_v, d_v * sizeof(float));
    }
}
