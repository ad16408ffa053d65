/* Two passes, and no row of scores: the first finds the logarithm of the sum, the second the
 * weights. */
#include <math.h>
#include <stddef.h>

static float score(size_t d, const float *query, const float *key)
{
    float sum = 0;
    for (size_t c = 0; c < d; c++)
        sum += query[c] * key[c];
    return sum * (1 / sqrtf((float)d));
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++, query += d_k, context += d_v) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++)
            top = fmaxf(top, score(d_k, query, key + j * d_k));
        for (size_t j = 0; j < n_k; j++)
            sum += expf(score(d_k, query, key + j * d_k) - top);
        const float lse = top + logf(sum);
        for (size_t c = 0; c < d_v; c++)
            context[c] = 0;
        for (size_t j = 0; j < n_k; j++)
            for (size_t c = 0; c < d_v; c++)
                context[c] += expf(score(d_k, query, key + j * d_k) - lse) * value[j * d_v + c];
    }
}
