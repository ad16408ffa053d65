#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            const float *q = query + i * d_k;
            const float *k = key + j;
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += q[d] * k[d];
            scores[i * n_k + j] = s;
        }
}
