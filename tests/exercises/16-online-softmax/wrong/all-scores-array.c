#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    float *scores = malloc(n_k * sizeof *scores);
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            scores[j] = 0;
            for (size_t c = 0; c < d_k; c++)
                scores[j] += query[i * d_k + c] * key[j * d_k + c];
            scores[j] /= sqrtf((float)d_k);
            max = fmaxf(max, scores[j]);
        }
        for (size_t j = 0; j < n_k; j++) {
            scores[j] = expf(scores[j] - max);
            sum += scores[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float mixed = 0;
            for (size_t j = 0; j < n_k; j++)
                mixed += scores[j] * value[j * d_v + c];
            context[i * d_v + c] = mixed / sum;
        }
    }
    free(scores);
}
