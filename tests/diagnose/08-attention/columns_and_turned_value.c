#include <math.h>
#include <stddef.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float w[n_q * n_k];
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            w[i * n_k + j] = dot / sqrtf((float)d_k);
        }
    for (size_t j = 0; j < n_k; j++) {
        float max = w[j], sum = 0;
        for (size_t i = 1; i < n_q; i++)
            max = fmaxf(max, w[i * n_k + j]);
        for (size_t i = 0; i < n_q; i++)
            sum += w[i * n_k + j] = expf(w[i * n_k + j] - max);
        for (size_t i = 0; i < n_q; i++)
            w[i * n_k + j] /= sum;
    }
    for (size_t i = 0; i < n_q; i++)
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n_k; j++)
                acc += w[i * n_k + j] * value[c * n_k + j];
            context[i * d_v + c] = acc;
        }
}
