#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        float *out = context + i * d_v;
        float max = -INFINITY;
        int sum = 0;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;

        for (size_t j = 0; j < n_k; j++) {
            float score = 0;
            for (size_t c = 0; c < d_k; c++)
                score += q[c] * key[j * d_k + c];
            score /= sqrtf((float)d_k);

            float new_max = fmaxf(max, score);
            float shrink = expf(max - new_max);
            float term = expf(score - new_max);
            sum = sum * shrink + term;
            for (size_t c = 0; c < d_v; c++)
                out[c] = out[c] * shrink + term * value[j * d_v + c];
            max = new_max;
        }

        for (size_t c = 0; c < d_v; c++)
            out[c] /= sum;
    }
}
