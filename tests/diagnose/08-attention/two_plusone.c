#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            scores[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                scores[j] += query[i * d_k + d] * key[j * d_k + d];
            max = fmaxf(max, scores[j]);
        }
        float sum = 0;
        for (size_t j = 0; j < n_k; j++)
            sum += scores[j] = expf(scores[j] - max);
        for (size_t j = 0; j < n_k; j++)
            scores[j] /= sum + 1;
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[i * d_v + c] += scores[j] * value[j * d_v + c];
        }
    }
    free(scores);
}
