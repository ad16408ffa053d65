#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    double *p = malloc(n_k * sizeof(double));
    for (size_t i = 0; i < n_q; i++) {
        double max = -INFINITY, sum = 0.0;
        for (size_t j = 0; j < n_k; j++) {
            p[j] = 0.0;
            for (size_t d = 0; d + 1 < d_k; d++)
                p[j] += (double)query[i * d_k + d] * (double)key[j * d_k + d];
            p[j] *= sqrt((double)d_k);
            max = fmax(max, p[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += p[j] = exp(p[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            double mix = 0.0;
            for (size_t j = 0; j < n_k; j++)
                mix += p[j] / sum * (double)value[j * d_v + c];
            context[i * d_v + c] = (float)mix;
        }
    }
    free(p);
}
