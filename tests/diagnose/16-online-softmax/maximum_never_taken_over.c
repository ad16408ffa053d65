#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float m = -INFINITY;
        float l = 0;
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            s /= sqrtf((float)d_k);
            float new_m = s > m ? s : m;
            float fix = expf(m - new_m);
            float e = expf(s - new_m);
            l = l * fix + e;
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] = context[i * d_v + c] * fix + e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= l;
    }
}
