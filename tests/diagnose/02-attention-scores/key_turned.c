#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    size_t i, j, d;
    for (i = 0; i < n_q; i++)
        for (j = 0; j < n_k; j++)
            scores[i * n_k + j] = 0;

    for (i = 0; i < n_q; i++)
        for (d = 0; d < d_k; d++) {
            float q = query[i * d_k + d];
            for (j = 0; j < n_k; j++)
                scores[i * n_k + j] += q * key[d * n_k + j];
        }
}
