#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float *o = context + i * d_v;
        float max = -INFINITY, sum = 0;
        for (size_t c = 0; c < d_v; c++)
            o[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            s /= sqrtf((float)d_k);
            float next = s > max ? s : max;
            float shrink = expf(max - next), w = expf(s - next);
            max = next;
            sum = sum + w;
            for (size_t c = 0; c < d_v; c++)
                o[c] = o[c] * shrink + w * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            o[c] /= sum;
    }
}
