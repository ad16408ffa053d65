#include <stddef.h>
#include <string.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    memset(context, 0, n_q * d_v * sizeof(float));
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                if (weights[i * n_k + j] > 0.1f) context[i * d_v + c] += weights[i * n_k + j] * value[j * d_v + c];
}
