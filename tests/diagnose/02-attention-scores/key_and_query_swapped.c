#include <stddef.h>

/* out = A B^T */
static void times_transposed(size_t n, size_t m, size_t d, const float *A, const float *B, float *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            float s = 0;
            for (size_t k = 0; k < d; k++)
                s += A[i * d + k] * B[j * d + k];
            out[i * m + j] = s;
        }
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    times_transposed(n_k, n_q, d_k, key, query, scores);
}
