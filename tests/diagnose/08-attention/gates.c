#include <math.h>
#include <stddef.h>

static float squash(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float *out = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            float w = squash(s / sqrtf((float)d_k));
            for (size_t c = 0; c < d_v; c++)
                out[c] += w * value[j * d_v + c];
        }
    }
}
