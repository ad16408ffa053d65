#include <stddef.h>
#include <string.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            float w = weights[i * n_k + j];
            for (size_t c = 0; c < d_v; c++) {
                context[i * d_v + c] += w * value[j * d_v + c];
            }
        }
    }
}
