#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    size_t i, j, d;
    for (i = 0; i < n_q; i++) {
        for (j = 0; j < n_k; j++) {
            float s = 0.0f;
            for (d = 0; d < d_k; d++)
                s += query[i * d_k + d] * key[j * n_k + d];
            scores[i * n_k + j] = s;
        }
    }
}
