#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *w = malloc(n * sizeof *w);
    memcpy(context, value, d_v * sizeof *context); /* nothing comes before the first word */
    for (size_t i = 1; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < i; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            w[j] = s / sqrtf((float)d_k);
            top = fmaxf(top, w[j]);
        }
        for (size_t j = 0; j < i; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j < i; j++)
                sum += w[j] * value[j * d_v + c];
            context[i * d_v + c] = sum / total;
        }
    }
    free(w);
}
