#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *row = malloc(n_k * sizeof *row);
    if (!row)
        return;
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        float *out = context + i * d_v;
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k;
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += q[d] * k[d];
            row[j] = s / sqrtf((float)d_k);
            top = fmaxf(top, row[j]);
        }
        for (size_t j = 0; j < n_k; j++)
            total += row[j] = expf(row[j] - top);
        for (size_t c = 0; c < d_v; c++)
            out[c] = 0;
        for (size_t j = 0; j < n_k; j++) {
            const float *v = value + j * d_k;
            for (size_t c = 0; c < d_v; c++)
                out[c] += row[j] / total * v[c];
        }
    }
    free(row);
}
