#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *row = malloc(n_k * sizeof(float));
    if (!row)
        return;
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < n_k; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            row[j] = s * sqrtf(d_k);
            if (row[j] > top)
                top = row[j];
        }
        float sum = 0;
        for (size_t j = 0; j < n_k; j++)
            sum += row[j] = expf(row[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n_k; j++)
                mix += row[j] / sum * value[j * d_v + c];
            context[i * d_v + c] = mix;
        }
    }
    free(row);
}
