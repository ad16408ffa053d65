#include <stddef.h>

static float row_dot(const float *u, const float *v, size_t len)
{
    float s = 0;
    for (size_t d = 0; d < len; d++)
        s += u[d] * v[d];
    return s;
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            scores[i * n_k + j] = row_dot(query + i * d_k, key + j, d_k);
}
