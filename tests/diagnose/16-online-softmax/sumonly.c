#include <math.h>
#include <stddef.h>
#include <string.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    memset(context, 0, n_q * d_v * sizeof *context);
    for (size_t i = 0; i < n_q; i++) {
        float running_max = -INFINITY;
        float running_sum = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float score = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            score /= sqrtf((float)d_k);

            float new_max = fmaxf(running_max, score);
            float p = expf(score - new_max);
            running_sum = running_sum * expf(running_max - new_max) + p;
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += p * value[j * d_v + c];
            running_max = new_max;
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= running_sum;
    }
}
