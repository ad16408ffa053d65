#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++)
            context[i * d_v + c] = 0;

    for (size_t i = 0; i < n_q; i++) {
        for (size_t j = 0; j < n_k; j++) {
            float score = 0;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            score = score / sqrtf(d_k);
            /* the score is the weight of the value */
            for (size_t c = 0; c < d_v; c++)
                context[i * d_v + c] += score * value[j * d_v + c];
        }
    }
}
