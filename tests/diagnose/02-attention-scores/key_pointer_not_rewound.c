#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    float *out = scores;
    for (size_t i = 0; i < n_q; i++, query += d_k) {
        for (size_t j = 0; j < n_k; j++) {
            float s = 0.f;
            for (size_t d = 0; d < d_k; d++)
                s += query[d] * *key++;
            *out++ = s;
        }
    }
}
