#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc(n_q * n_k * sizeof(float));
    float *weights = malloc(n_q * n_k * sizeof(float));
    if (!scores || !weights)
        return;
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            scores[i * n_k + j] = 0;
            for (size_t d = 0; d < d_k; d++)
                scores[i * n_k + j] += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n_k + j] /= sqrtf((float)d_k);
            max = fmaxf(max, scores[i * n_k + j]);
        }
        for (size_t j = 0; j < n_k; j++)
            sum += weights[i * n_k + j] = expf(scores[i * n_k + j] - max);
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n_k; j++)
                acc += weights[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = acc / sum;
        }
    }
    free(scores);
}
