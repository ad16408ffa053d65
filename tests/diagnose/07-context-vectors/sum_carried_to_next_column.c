#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    size_t i, j, c;
    double sum;
    for (i = 0; i < n_q; i++) {
        sum = 0.0;
        for (c = 0; c < d_v; c++) {
            for (j = 0; j < n_k; j++)
                sum += (double)weights[i * n_k + j] * (double)value[j * d_v + c];
            context[i * d_v + c] = (float)sum;
        }
    }
}
