#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        double total = 0.0;
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            total += (double)weights[i * n_k + j];
        for (size_t j = 0; j < n_k; j++) {
            float share = (float)((double)weights[i * n_k + j] / total);
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += share * value[j * d_v + c];
        }
    }
}
