/* No array at all: the largest score, the sum and the context so far are kept up to date. */
#include <math.h>
#include <stddef.h>

static float scaled_score(size_t d_k, const float *q, const float *k)
{
    float sum = 0.0f;
    for (size_t d = 0; d < d_k; d++)
        sum += q[d] * k[d];
    return sum / sqrtf((float)d_k);
}

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float *row = context + i * d_v, top = -INFINITY, sum = 0.0f;
        for (size_t c = 0; c < d_v; c++)
            row[c] = 0.0f;
        for (size_t j = 0; j < n_k; j++) {
            const float score = scaled_score(d_k, query + i * d_k, key + j * d_k);
            if (score > top) {
                const float shrink = expf(top - score);
                sum *= shrink;
                for (size_t c = 0; c < d_v; c++)
                    row[c] *= shrink;
                top = score;
            }
            sum += expf(score - top);
            for (size_t c = 0; c < d_v; c++)
                row[c] += expf(score - top) * value[j * d_v + c];
        }
        for (size_t c = 0; c < d_v; c++)
            row[c] /= sum;
    }
}
