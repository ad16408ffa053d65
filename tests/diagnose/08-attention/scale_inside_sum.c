#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax(float *row, size_t n)
{
    float biggest = row[0];
    for (size_t k = 1; k < n; k++)
        if (row[k] > biggest)
            biggest = row[k];
    float z = 0;
    for (size_t k = 0; k < n; k++) {
        row[k] = expf(row[k] - biggest);
        z += row[k];
    }
    for (size_t k = 0; k < n; k++)
        row[k] /= z;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *w = calloc(n_q * n_k, sizeof(float));
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            for (size_t d = 0; d < d_k; d++) {
                w[i * n_k + j] += query[i * d_k + d] * key[j * d_k + d];
                w[i * n_k + j] /= sqrtf(d_k);
            }
        }
    for (size_t i = 0; i < n_q; i++)
        softmax(w + i * n_k, n_k);
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0;
            for (size_t j = 0; j < n_k; j++)
                context[i * d_v + c] += w[i * n_k + j] * value[j * d_v + c];
        }
    free(w);
}
