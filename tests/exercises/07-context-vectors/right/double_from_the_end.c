/* Adds in double, from the last key to the first, and column by column. */
#include <stddef.h>

void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (size_t c = 0; c < d_v; c++) {
        for (size_t i = 0; i < n_q; i++) {
            double sum = 0;
            for (size_t j = n_k; j-- > 0;)
                sum += (double)weights[i * n_k + j] * (double)value[j * d_v + c];
            context[i * d_v + c] = (float)sum;
        }
    }
}
