#include <stddef.h>
#include <stdlib.h>

/* Summation by parts: suffix sums of the weights meet differences of values. */
void context_vectors(size_t n_q, size_t n_k, size_t d_v, const float *weights, const float *value,
                     float *context)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            double suffix = 0, sum = 0;
            for (size_t j = n_k; j-- > 0;) {
                suffix += weights[i * n_k + j];
                double before = j > 0 ? value[(j - 1) * d_v + c] : 0;
                sum += suffix * (value[j * d_v + c] - before);
            }
            context[i * d_v + c] = (float)sum;
        }
}
