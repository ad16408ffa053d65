#include <stddef.h>
#include <string.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    memset(scores, 0, sizeof *scores * n_q * n_k);
    for (size_t d = d_k; d-- > 0;)
        for (size_t ij = 0; ij < n_q * n_k; ij++)
            scores[ij] += query[ij / n_k * d_k + d] * key[ij % n_k * d_k + d];
}
