#include <stddef.h>
#include <string.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    memset(scores, 0, sizeof(float) * n_q * n_k);
    for (size_t d = d_k; d-- > 0;)
        for (size_t cell = 0; cell < n_q * n_k; cell++)
            scores[cell] += query[cell / n_k * d_k + d] * key[cell % n_k * d_k + d];
}
