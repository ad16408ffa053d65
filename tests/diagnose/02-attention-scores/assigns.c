#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t cell = 0; cell < n_q * n_k; ++cell)
        scores[cell] = 0;
    for (size_t d = 0; d < d_k; ++d)
        for (size_t i = 0; i < n_q; ++i)
            for (size_t j = 0; j < n_k; ++j)
                scores[i * n_k + j] = query[i * d_k + d] * key[j * d_k + d];
}
