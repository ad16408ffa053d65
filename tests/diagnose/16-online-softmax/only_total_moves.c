#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, total = 0;
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            s /= sqrtf((float)d_k);
            if (s > max) {
                total *= expf(max - s);
                max = s;
            }
            float e = expf(s - max);
            total += e;
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] /= total;
    }
}
