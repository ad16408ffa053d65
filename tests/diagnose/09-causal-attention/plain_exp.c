#include <math.h>
#include <stddef.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    for (size_t i = 0; i < n; i++) {
        float sum = 0;
        float *out = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t j = 0; j <= i; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            float e = expf(dot / sqrtf((float)d_k));
            sum += e;
            for (size_t c = 0; c < d_v; c++)
                out[c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            out[c] /= sum;
    }
}
