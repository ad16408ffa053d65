#include <stddef.h>

static float inner(const float *u, const float *v, size_t len)
{
    float r = 0.0f;
    while (len--)
        r += *u++ * *v++;
    return r;
}

void attention_scores(size_t n_q, size_t n_k, size_t d_k, const float *query, const float *key,
                      float *scores)
{
    float *out = scores;
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k;
        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j;
            *out++ = inner(q, k, d_k);
        }
    }
}
