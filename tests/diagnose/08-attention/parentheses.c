#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float dot(const float *a, const float *b, size_t n)
{
    float s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *row = malloc(n_k * sizeof *row);
    if (row == NULL)
        return;
    const float root = sqrtf((float)d_k);

    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n_k; j++) {
            row[j] = dot(query + i * d_k, key + j * d_k, d_k);
            top = fmaxf(top, row[j]);
        }
        for (size_t j = 0; j < n_k; j++) {
            row[j] = expf(row[j] - top / root);
            total += row[j];
        }
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += row[j] / total * value[j * d_v + c];
    }
    free(row);
}
