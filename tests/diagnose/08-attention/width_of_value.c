#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *weights = calloc(n_q * n_k, sizeof *weights);
    if (weights == NULL)
        return;
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            for (size_t d = 0; d < d_k; d++)
                weights[i * n_k + j] += query[i * d_k + d] * key[j * d_k + d];
            weights[i * n_k + j] *= 1.0f / sqrtf((float)d_k);
        }
    for (size_t i = 0; i < n_q; i++) {
        float *w = weights + i * n_k;
        float top = w[0], sum = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            if (top < w[j])
                top = w[j];
        for (size_t j = 0; j < n_k; j++) {
            w[j] = expf(w[j] - top);
            sum += w[j];
        }
        for (size_t j = 0; j < n_k; j++)
            w[j] /= sum;
    }
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            float mixed = 0.0f;
            for (size_t j = 0; j < n_k; j++)
                mixed += weights[i * n_k + j] * value[j * d_k + c];
            context[i * d_v + c] = mixed;
        }
    free(weights);
}
