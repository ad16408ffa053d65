#include <math.h>
#include <stddef.h>

void attention_online(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                      const float *key, const float *value, float *context)
{
    float scale = 1.0f / sqrtf((float)d_k);
    for (size_t i = 0; i < n_q; i++) {
        float *out = context + i * d_v;
        float max = -INFINITY, sum = 0;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            s *= scale;
            if (j == 0)
                max = s;
            if (s > max) {
                max = s;
                float f = expf(max - s);
                sum *= f;
                for (size_t c = 0; c < d_v; c++)
                    out[c] *= f;
            }
            float e = expf(s - max);
            sum += e;
            for (size_t c = 0; c < d_v; c++)
                out[c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            out[c] /= sum;
    }
}
