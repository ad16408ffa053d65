#include <stddef.h>

static float product(const float *u, const float *v, size_t len)
{
    float t = 0;
    while (len--)
        t += *u++ * *v++;
    return t;
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    for (size_t q = 0; q < n_q; q++) {
        const float *qrow = query + q * d_k;
        float *out = scores + q * n_q;
        for (size_t k = 0; k < n_k; k++)
            out[k] = product(qrow, key + k * d_k, d_k);
    }
}
