#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY;
        float sum = 0.0f;
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0.0f;

        for (size_t j = 0; j < n_k; j++) {
            float score = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            score /= sqrtf((float)d_k);

            float new_max = fmaxf(max, score);
            max = new_max;
            float factor = expf(max - new_max);
            float e = expf(score - max);

            sum = sum * factor + e;
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] = context[i * d_v + c] * factor + e * value[j * d_v + c];
        }

        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= sum;
    }
}
