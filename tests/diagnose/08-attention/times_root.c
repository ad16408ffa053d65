#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    const float scale = sqrtf((float)d_k);
    float *scores = malloc(n_k * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        float max = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k;
            float s = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                s += q[d] * k[d];
            scores[j] = s * scale; // scale the score
            max = fmaxf(max, scores[j]);
        }
        float sum = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            scores[j] = expf(scores[j] - max);
            sum += scores[j];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += scores[j] / sum * value[j * d_v + c];
    }
    free(scores);
}
