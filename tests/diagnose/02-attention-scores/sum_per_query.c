#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    size_t i, j, d;

    for (i = 0; i < n_q; i++)
    {
        float sum = 0.0f;
        for (j = 0; j < n_k; j++)
        {
            for (d = 0; d < d_k; d++)
            {
                sum = sum + query[i * d_k + d] * key[j * d_k + d];
            }
            scores[i * n_k + j] = sum;
        }
    }
}
