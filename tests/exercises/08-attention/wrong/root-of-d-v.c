#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *scores = malloc(n_q * n_k * sizeof *scores);
    if (scores == NULL)
        return;
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n_k + j] = dot / sqrtf((float)d_v);
        }
    }
    for (size_t i = 0; i < n_q; i++) {
        float *row = scores + i * n_k, top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            top = fmaxf(top, row[j]);
        for (size_t j = 0; j < n_k; j++) {
            row[j] = expf(row[j] - top);
            sum += row[j];
        }
        for (size_t j = 0; j < n_k; j++)
            row[j] /= sum;
    }
    for (size_t i = 0; i < n_q; i++) {
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0.0f;
            for (size_t j = 0; j < n_k; j++)
                sum += scores[i * n_k + j] * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(scores);
}
