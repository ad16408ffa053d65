#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *weights = calloc(n_q * n_k, sizeof *weights);

    /* scores = query @ key.T / sqrt(d_k) */
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            for (size_t d = 0; d < d_k; d++)
                weights[i * n_k + j] += query[i * d_k + d] * key[j * d_k + d];
            weights[i * n_k + j] /= sqrtf(d_k);
        }

    /* softmax */
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++)
            max = fmaxf(max, weights[i * n_k + j]);
        for (size_t j = 0; j < n_k; j++) {
            weights[i * n_k + j] = expf(weights[i * n_k + j] - max);
            sum += weights[i * n_k + j];
        }
        for (size_t j = 0; j < n_k; j++)
            weights[i * n_k + j] /= sum;
    }

    /* context = weights @ value */
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += weights[i * n_k + j] * value[j * d_v + c];

    free(weights);
}
