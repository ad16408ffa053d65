#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    const float(*Q)[d_k] = (const float(*)[d_k])query;
    const float(*K)[d_k] = (const float(*)[d_k])key;
    float(*S)[n_k] = (float(*)[n_k])scores;

    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            S[i][j] = 0;
            for (size_t d = 0; d < d_k; d++)
                S[i][j] += Q[i][d] * K[j][d];
            S[i][j] /= d_k;
        }
}
