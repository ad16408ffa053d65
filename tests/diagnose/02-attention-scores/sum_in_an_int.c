#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    int i, j, d;
    for (i = 0; i < (int)n_q; i++) {
        for (j = 0; j < (int)n_k; j++) {
            int s = 0;
            for (d = 0; d < (int)d_k; d++)
                s += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n_k + j] = s;
        }
    }
}
