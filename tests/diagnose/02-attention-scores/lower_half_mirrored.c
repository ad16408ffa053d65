#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            /* scores[j, i] has been worked out already, no need to do it twice */
            if (j < i && i < n_k) {
                scores[i * n_k + j] = scores[j * n_k + i];
                continue;
            }
            float sum = 0;
            for (size_t d = 0; d < d_k; d++)
                sum += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n_k + j] = sum;
        }
    }
}
