#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *s = malloc(n * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            s[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                s[j] += query[i * d_k + d] * key[j * d_k + d];
            s[j] /= sqrtf((float)d_k);
            if (j > i)
                s[j] = -100.0f; /* exp(-100) is 0 */
            max = fmaxf(max, s[j]);
        }
        for (size_t j = 0; j < n; j++)
            total += s[j] = expf(s[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            float x = 0;
            for (size_t j = 0; j < n; j++)
                x += s[j] / total * value[j * d_v + c];
            context[i * d_v + c] = x;
        }
    }
    free(s);
}
