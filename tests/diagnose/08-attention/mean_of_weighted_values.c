#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = malloc(n_q * n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float sum = 0, max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            w[i * n_k + j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[i * n_k + j] += query[i * d_k + d] * key[j * d_k + d];
            w[i * n_k + j] /= sqrtf((float)d_k);
            max = fmaxf(max, w[i * n_k + j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += w[i * n_k + j] = expf(w[i * n_k + j] - max);
        for (size_t j = 0; j < n_k; j++)
            w[i * n_k + j] /= sum;
    }
    for (size_t i = 0; i < n_q; i++) {
        for (size_t c = 0; c < d_v; c++) {
            float avg = 0;
            for (size_t j = 0; j < n_k; j++)
                avg += w[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = avg / n_k;
        }
    }
    free(w);
}
