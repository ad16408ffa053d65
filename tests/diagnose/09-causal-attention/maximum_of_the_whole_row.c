#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key, const float *value, float *context)
{
    float *w = malloc(n * sizeof *w);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            w[j] = s / sqrtf(d_k);
            max = fmaxf(max, w[j]);
        }
        for (size_t j = 0; j <= i; j++)
            total += w[j] = expf(w[j] - max);
        for (size_t j = 0; j <= i; j++)
            w[j] /= total;
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j <= i; j++)
                sum += w[j] * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(w);
}
