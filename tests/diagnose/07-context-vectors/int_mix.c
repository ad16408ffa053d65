#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (int i = 0; i < n_q; i++)
        for (int c = 0; c < d_v; c++) {
            int mix = 0;
            for (int j = 0; j < n_k; j++)
                mix += weights[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = mix;
        }
}
