#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *e = malloc(n * sizeof(float));
    float top, sum = 0;
    for (size_t i = 0; i < n; i++) {
        top = -INFINITY;
        for (size_t j = 0; j < i + 1; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            e[j] = s / sqrtf((float)d_k);
            if (e[j] > top)
                top = e[j];
        }
        for (size_t j = 0; j < i + 1; j++) {
            e[j] = expf(e[j] - top);
            sum += e[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < i + 1; j++)
                context[i * d_v + c] += e[j] / sum * value[j * d_v + c];
        }
    }
    free(e);
}
