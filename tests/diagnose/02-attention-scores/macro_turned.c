#include <stddef.h>

#define AT(m, row, width, col) ((m)[(col) * (width) + (row)])

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t i = 0; i < n_q; ++i)
        for (size_t j = 0; j < n_k; ++j) {
            AT(scores, i, n_k, j) = 0.0f;
            for (size_t d = 0; d < d_k; ++d)
                AT(scores, i, n_k, j) += AT(query, i, d_k, d) * AT(key, j, d_k, d);
        }
}
