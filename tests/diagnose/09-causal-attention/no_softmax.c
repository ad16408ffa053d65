#include <math.h>
#include <stddef.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    for (size_t x = 0; x < n * d_v; x++)
        context[x] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            s /= sqrtf((float)d_k);
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += s * value[j * d_v + c];
        }
}
