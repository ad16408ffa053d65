#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    float root = sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        float *o = context + i * d_v;
        float max = -INFINITY, sum = 0;
        for (size_t c = 0; c < d_v; c++)
            o[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += q[d] * key[j * d_k + d];
            s /= root;
            float new_max = s > max ? s : max;
            float move = expf(max - new_max);
            float e = expf(s - new_max);
            sum = sum * move + e;
            for (size_t c = 0; c < d_v; c++)
                o[c] = o[c] * move + e * value[j * d_v + c];
            max = new_max;
        }
        for (size_t c = 0; c < d_v; c++)
            o[c] /= (float)n_k;
    }
}
