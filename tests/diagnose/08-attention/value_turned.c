#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *row = malloc(n_k * sizeof *row);
    if (row == NULL)
        return;
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, total = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            row[j] = dot / sqrtf((float)d_k);
            top = fmaxf(top, row[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            total += row[j] = expf(row[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            const float *column = value + c * n_k;
            float mixed = 0.0f;
            for (size_t j = 0; j < n_k; j++)
                mixed += row[j] * column[j];
            context[i * d_v + c] = mixed / total;
        }
    }
    free(row);
}
