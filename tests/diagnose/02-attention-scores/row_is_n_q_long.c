#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t n = 0; n < n_q * n_k; n++)
        scores[n] = 0;
    for (size_t n = 0; n < n_q * n_k; n++) {
        size_t i = n / n_q, j = n % n_q;
        if (i >= n_q || j >= n_k) continue;
        for (size_t d = 0; d < d_k; d++)
            scores[n] += query[i * d_k + d] * key[j * d_k + d];
    }
}
