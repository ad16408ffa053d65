#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float *out = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float w = weights[i * n_k + j];
            const float *v = value + j * d_v;
            for (size_t c = 0; c < d_v; c++)
                out[c] = w * v[c];
        }
    }
}
