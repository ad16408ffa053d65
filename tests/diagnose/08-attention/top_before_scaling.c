#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    const float scale = 1.0f / sqrtf((float)d_k);
    float *row = calloc(n_k, sizeof *row);
    for (size_t q = 0; q < n_q; q++) {
        float top = -INFINITY;
        for (size_t k = 0; k < n_k; k++) {
            row[k] = 0;
            for (size_t d = 0; d < d_k; d++)
                row[k] += query[q * d_k + d] * key[k * d_k + d];
            top = fmaxf(top, row[k]);
        }
        float total = 0;
        for (size_t k = 0; k < n_k; k++) {
            row[k] = expf(row[k] * scale - top);
            total += row[k];
        }
        float *out = context + q * d_v;
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t k = 0; k < n_k; k++)
            for (size_t c = 0; c < d_v; c++)
                out[c] += row[k] / total * value[k * d_v + c];
    }
    free(row);
}
