#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *s = malloc(n * n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float *row = s + i * n, top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            row[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                row[j] += query[i * d_k + d] * key[j * d_k + d];
            row[j] /= (float)d_k;
        }
        for (size_t j = i + 2; j < n; j++)
            row[j] = -INFINITY;
        for (size_t j = 0; j < n; j++)
            top = fmaxf(top, row[j]);
        for (size_t j = 0; j < n; j++)
            sum += row[j] = expf(row[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n; j++)
                acc += row[j] / sum * value[j * d_v + c];
            context[i * d_v + c] = acc;
        }
    }
    free(s);
}
