#include <math.h>
#include <stddef.h>

static float scores[64][64]; /* globals are zero */

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++)
            for (size_t d = 0; d < d_k; d++)
                scores[i][j] += query[i * d_k + d] * key[j * d_k + d];
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0, w[n_k];
        for (size_t j = 0; j < n_k; j++)
            max = fmaxf(max, scores[i][j] / sqrtf((float)d_k));
        for (size_t j = 0; j < n_k; j++)
            sum += w[j] = expf(scores[i][j] / sqrtf((float)d_k) - max);
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n_k; j++)
                acc += w[j] * value[j * d_v + c];
            context[i * d_v + c] = acc / sum;
        }
    }
}
