#include <stddef.h>
#include <stdlib.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    float *columns = malloc(d_k * n_k * sizeof(float));
    for (size_t j = 0; j < n_k; j++)
        for (size_t d = 0; d < d_k; d++)
            columns[d * n_k + j] = key[j * d_k + d];
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            float sum = 0;
            for (size_t d = 0; d < d_k; d++)
                sum += query[i * d_k + d] * columns[d * n_k + j];
            scores[i * n_k + j] = sum;
        }
}
