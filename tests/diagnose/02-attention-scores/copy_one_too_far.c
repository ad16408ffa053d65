#include <stddef.h>
#include <stdlib.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    float *copy = malloc(n_k * d_k * sizeof(float));
    for (size_t e = 0; e < n_k * d_k; e++)
        copy[e] = key[e];
    for (int q = 0; q < (int)n_q; ++q) {
        for (int k = 0; k < (int)n_k; ++k) {
            float acc = 0.0f;
            for (int c = 0; c < (int)d_k; ++c) {
                acc = acc + query[q * d_k + c] * copy[k * d_k + c + 1];
            }
            scores[q * n_k + k] = acc;
        }
    }
    free(copy);
}
