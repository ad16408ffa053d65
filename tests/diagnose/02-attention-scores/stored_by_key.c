#include <stddef.h>

static float product(const float *u, const float *v, size_t len)
{
    float s = 0;
    while (len--)
        s += *u++ * *v++;
    return s;
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    float *to = scores;
    for (size_t j = 0; j < n_k; j++)
        for (size_t i = 0; i < n_q; i++)
            *to++ = product(query + i * d_k, key + j * d_k, d_k);
}
