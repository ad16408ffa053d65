#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        float *out = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            s /= sqrtf((float)d_k);
            float new_max = s > max ? s : max;
            float old = expf(max - new_max), term = expf(s - new_max);
            sum = sum * old + term;
            for (size_t c = 0; c < d_v; c++)
                out[c] = out[c] * old + term / sum * value[j * d_v + c];
            max = new_max;
        }
    }
}
