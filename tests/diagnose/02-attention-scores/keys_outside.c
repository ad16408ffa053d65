#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    float *out = scores;
    for (size_t j = 0; j < n_k; j++) {
        const float *k = key + j * d_k;
        for (size_t i = 0; i < n_q; i++) {
            const float *q = query + i * d_k;
            *out = 0.0f;
            for (size_t d = 0; d < d_k; d++) *out += q[d] * k[d];
            out++;
        }
    }
}
