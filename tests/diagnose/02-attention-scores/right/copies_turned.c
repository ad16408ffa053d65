#include <stddef.h>
#include <string.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    float turned[d_k][n_k];
    for (size_t j = 0; j < n_k; j++)
        for (size_t d = 0; d < d_k; d++)
            turned[d][j] = key[j * d_k + d];
    for (size_t i = 0; i < n_q; i++) {
        float row[n_k];
        memset(row, 0, sizeof row);
        for (size_t d = 0; d < d_k; d++)
            for (size_t j = 0; j < n_k; j++)
                row[j] += query[i * d_k + d] * turned[d][j];
        memcpy(scores + i * n_k, row, sizeof row);
    }
}
