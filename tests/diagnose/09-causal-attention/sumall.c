#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *s = malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            s[j] = dot / sqrtf((float)d_k);
            if (s[j] > top)
                top = s[j];
        }
        for (size_t j = 0; j < n; j++) {
            s[j] = expf(s[j] - top);
            total += s[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j <= i; j++)
                sum += s[j] / total * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(s);
}
