#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    const float root = sqrtf((float)d_k);
    float *row = calloc(n_k, sizeof(float));
    if (row == NULL) return;

    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        float *out = context + i * d_v;
        float top = -INFINITY, total = 0.0f;

        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k;
            float s = 0.0f;
            for (size_t d = 0; d < d_k; d++) s += q[d] * k[d];
            row[j] = s;
            top = s > top ? s : top;
        }
        for (size_t c = 0; c < d_v; c++) out[c] = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float e = expf(row[j] - top / root);
            total += e;
            for (size_t c = 0; c < d_v; c++) out[c] += e * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++) out[c] /= total;
    }
    free(row);
}
