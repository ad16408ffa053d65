#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    const float *q = query;
    for (size_t i = 0; i < n_q; i++) {
        const float *k = key;
        for (size_t j = 0; j < n_k; j++) {
            float acc = 0;
            for (size_t d = 0; d < d_k; d++)
                acc += q[d] * *k++;
            *scores++ = acc;
        }
        q++;
    }
}
