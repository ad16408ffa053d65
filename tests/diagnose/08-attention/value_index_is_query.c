#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += query[i * d_k + d] * key[j * d_k + d];
            w[j] /= sqrtf(d_k);
            if (w[j] > max)
                max = w[j];
        }
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - max);
            sum += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[i * d_v + c] += w[j] / sum * value[(n_k - 1 - j) * d_v + c];
        }
    }
    free(w);
}
