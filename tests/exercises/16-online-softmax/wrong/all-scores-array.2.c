/* The array is on the stack. */
#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    float scores[n_k];
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++) {
            scores[j] = 0;
            for (size_t c = 0; c < d_k; c++)
                scores[j] += query[i * d_k + c] * key[j * d_k + c];
            scores[j] /= sqrtf((float)d_k);
            max = fmaxf(max, scores[j]);
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            sum += expf(scores[j] - max);
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += expf(scores[j] - max) * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= sum;
    }
}
