#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    for (size_t i = 0; i < n_q; i++) {
        float w[n_k], top, sum;
        for (size_t j = 0; j < n_k; j++) {
            w[j] = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                w[j] += query[i * d_k + d] * key[j * d_k + d] / sqrtf((float)d_k);
        }
        top = w[0];
        for (size_t j = 1; j < n_k; j++)
            top = fmaxf(top, w[j]);
        sum = 0.0f;
        for (size_t j = 0; j < n_k; j++)
            sum += w[j] = expf(w[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0.0f;
            for (size_t j = 1; j < n_k; j++)
                context[i * d_v + c] += w[j] / sum * value[j * d_v + c];
        }
    }
}
