#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *w = calloc(n, sizeof *w);
    float top = -INFINITY;
    for (size_t i = 0; i < n; i++) {
        float sum = 0;
        for (size_t j = 0; j <= i; j++) {
            w[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                w[j] += query[i * d_k + d] * key[j * d_k + d];
            w[j] /= sqrtf((float)d_k);
            top = fmaxf(top, w[j]);
        }
        for (size_t j = 0; j <= i; j++)
            sum += w[j] = expf(w[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j <= i; j++)
                context[i * d_v + c] += w[j] * value[j * d_v + c];
            context[i * d_v + c] /= sum;
        }
    }
    free(w);
}
