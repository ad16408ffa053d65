#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = calloc(n_k, sizeof(float)); /* calloc, so all zero */
    float *weights = calloc(n_k, sizeof(float));
    float root = sqrtf((float)d_k);

    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++)
            for (size_t d = 0; d < d_k; d++)
                scores[j] += query[i * d_k + d] * key[j * d_k + d];

        float max = scores[0] / root, sum = 0;
        for (size_t j = 1; j < n_k; j++)
            max = fmaxf(max, scores[j] / root);
        for (size_t j = 0; j < n_k; j++) {
            weights[j] = expf(scores[j] / root - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float t = 0;
            for (size_t j = 0; j < n_k; j++)
                t += weights[j] / sum * value[j * d_v + c];
            context[i * d_v + c] = t;
        }
    }
    free(scores);
    free(weights);
}
