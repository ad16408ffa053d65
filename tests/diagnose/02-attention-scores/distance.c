#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t qi = 0; qi < n_q; qi++) {
        for (size_t ki = 0; ki < n_k; ki++) {
            float sum = 0;
            for (size_t x = 0; x < d_k; x++) {
                float diff = query[qi * d_k + x] - key[ki * d_k + x];
                sum += diff * diff;
            }
            scores[qi * n_k + ki] = sum;
        }
    }
}
