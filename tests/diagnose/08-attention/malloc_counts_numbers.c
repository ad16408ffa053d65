#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax(float *row, size_t n)
{
    float top = row[0];
    for (size_t j = 1; j < n; j++)
        if (row[j] > top)
            top = row[j];
    float total = 0;
    for (size_t j = 0; j < n; j++) {
        row[j] = expf(row[j] - top);
        total += row[j];
    }
    for (size_t j = 0; j < n; j++)
        row[j] /= total;
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc(n_q * n_k);
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n_k + j] = dot / sqrtf(d_k);
        }
    }
    for (size_t i = 0; i < n_q; i++)
        softmax(scores + i * n_k, n_k);
    for (size_t i = 0; i < n_q; i++) {
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0;
            for (size_t j = 0; j < n_k; j++)
                sum += scores[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(scores);
}
