#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *s = malloc(n * n * sizeof(float));
    if (!s) return;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float x = 0;
            for (size_t d = 0; d < d_k; d++)
                x += query[i * d_k + d] * key[j * d_k + d];
            s[i * n + j] = i > j ? -INFINITY : x / sqrtf((float)d_k);
        }

    for (size_t i = 0; i < n; i++) {
        float m = -INFINITY, t = 0;
        for (size_t j = 0; j < n; j++) m = fmaxf(m, s[i * n + j]);
        for (size_t j = 0; j < n; j++) t += s[i * n + j] = expf(s[i * n + j] - m);
        for (size_t c = 0; c < d_v; c++) {
            float x = 0;
            for (size_t j = 0; j < n; j++) x += s[i * n + j] * value[j * d_v + c];
            context[i * d_v + c] = x / t;
        }
    }
    free(s);
}
