/* A dot product of two rows in double; keys outside, queries inside. */
#include <stddef.h>

static double dot(size_t n, const float *a, const float *b)
{
    double sum = 0.0;
    for (size_t i = n; i > 0; i--)
        sum += (double)a[i - 1] * (double)b[i - 1];
    return sum;
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t j = 0; j < n_k; j++) {
        for (size_t i = 0; i < n_q; i++)
            scores[i * n_k + j] = (float)dot(d_k, query + i * d_k, key + j * d_k);
    }
}
