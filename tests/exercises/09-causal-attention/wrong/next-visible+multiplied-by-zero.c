#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *scores = malloc(n * n * sizeof *scores);
    if (scores == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            float dot = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n + j] = dot / sqrtf((float)d_k);
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            if (j > i + 1)
                scores[i * n + j] = 0.0f;
        }
    }
    for (size_t i = 0; i < n; i++) {
        float *row = scores + i * n, top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < n; j++)
            top = fmaxf(top, row[j]);
        for (size_t j = 0; j < n; j++) {
            row[j] = expf(row[j] - top);
            sum += row[j];
        }
        for (size_t j = 0; j < n; j++)
            row[j] /= sum;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0.0f;
            for (size_t j = 0; j < n; j++)
                sum += scores[i * n + j] * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(scores);
}
