#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            float even = 0, odd = 0;
            for (size_t d = 0; d + 1 < d_k; d += 2) {
                even += query[i * d_k + d] * key[j * d_k + d];
                odd += query[i * d_k + d + 1] * key[j * d_k + d + 1];
            }
            scores[i * n_k + j] = even + odd;
        }
}
