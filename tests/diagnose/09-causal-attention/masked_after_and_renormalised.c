/* Softmax over all keys; then the hidden ones are dropped and the rest is made to add up to 1. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *row = malloc(n * sizeof *row);
    if (row == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0.0f, visible = 0.0f;
        for (size_t j = 0; j < n; j++) {
            row[j] = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                row[j] += query[i * d_k + d] * key[j * d_k + d];
            row[j] *= 1.0f / sqrtf((float)d_k);
            top = fmaxf(top, row[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += row[j] = expf(row[j] - top);
        for (size_t j = 0; j < n; j++) {
            row[j] = j <= i ? row[j] / sum : 0.0f;
            visible += row[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0.0f;
            for (size_t j = 0; j < n; j++)
                context[i * d_v + c] += row[j] / visible * value[j * d_v + c];
        }
    }
    free(row);
}
