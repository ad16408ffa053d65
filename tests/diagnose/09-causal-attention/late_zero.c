#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *w = malloc(n * sizeof *w);
    if (w == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            w[j] = s / sqrtf((float)d_k);
            top = fmaxf(top, w[j]);
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float s = 0;
            for (size_t j = 0; j <= i; j++)
                s += w[j] / total * value[j * d_v + c];
            context[i * d_v + c] = s;
        }
    }
    free(w);
}
