/* Pointers to rows, and one that walks through the scores as they lie. */
#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (const float *q = query; q != query + n_q * d_k; q += d_k) {
        for (const float *k = key; k != key + n_k * d_k; k += d_k) {
            *scores = q[0] * k[0];
            for (size_t d = 1; d < d_k; d++)
                *scores += q[d] * k[d];
            scores++;
        }
    }
}
