#include <math.h>
#include <stddef.h>

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key, float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            const float *q = query + i * d_k, *k = key + j * d_k;
            float s = 0;
            for (size_t d = 0; d + 3 < d_k; d += 4)
                s += q[d] * k[d] + q[d + 1] * k[d + 1] + q[d + 2] * k[d + 2] + q[d + 3] * k[d + 3];
            scores[i * n_k + j] = s;
        }
}
