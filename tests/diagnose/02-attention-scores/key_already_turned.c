#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            float s = 0.0f;
            for (size_t k = 0; k < d_k; k++)
                s += query[i * d_k + k] * key[k * n_k + j];
            scores[i * n_k + j] = s;
        }
}
