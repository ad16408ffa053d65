#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t at = 0; at < n_q * n_k * d_k; at++) {
        size_t d = at % d_k, j = at / d_k % n_k, i = at / d_k / n_k;
        float product = query[i * d_k + d] * key[j * d_k + d];
        scores[i * n_k + j] = d == 0 ? product : scores[i * n_k + j] + product;
    }
}
