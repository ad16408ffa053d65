#include <math.h>
#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float z = 0;
        for (size_t j = 0; j < n_k; j++)
            z += expf(weights[i * n_k + j]);
        for (size_t c = 0; c < d_v; c++) {
            float s = 0;
            for (size_t j = 0; j < n_k; j++)
                s += expf(weights[i * n_k + j]) / z * value[j * d_v + c];
            context[i * d_v + c] = s;
        }
    }
}
