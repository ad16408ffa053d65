/* In one pass, and without the scale. */
#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float top = -INFINITY, sum = 0.0f;
        float *row = context + i * d_v;
        for (size_t c = 0; c < d_v; c++)
            row[c] = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            float score = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                score += query[i * d_k + d] * key[j * d_k + d];
            float old_top = top;
            top = score > top ? score : top;
            float shrink = expf(old_top - top), share = expf(score - top);
            sum = sum * shrink + share;
            for (size_t c = 0; c < d_v; c++)
                row[c] = row[c] * shrink + share * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            row[c] /= sum;
    }
}
