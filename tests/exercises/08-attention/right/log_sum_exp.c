/* Key by key on the outside; each weight is exp(score - log of the sum), worked out when needed. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc((n_k * n_q + n_q) * sizeof *scores), *logs = scores + n_k * n_q;
    if (scores == NULL)
        return;
    for (size_t j = 0; j < n_k; j++) {
        for (size_t i = 0; i < n_q; i++) {
            float *score = scores + j * n_q + i;
            *score = 0.0f;
            for (size_t d = d_k; d-- > 0;)
                *score += query[i * d_k + d] * key[j * d_k + d];
            *score *= powf((float)d_k, -0.5f);
        }
    }
    for (size_t i = 0; i < n_q; i++) {
        float top = scores[i], sum = 0.0f;
        for (size_t j = 1; j < n_k; j++)
            top = fmaxf(top, scores[j * n_q + i]);
        for (size_t j = 0; j < n_k; j++)
            sum += expf(scores[j * n_q + i] - top);
        logs[i] = top;
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            const float weight = expf(scores[j * n_q + i] - logs[i] - logf(sum));
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += weight * value[j * d_v + c];
        }
    }
    free(scores);
}
