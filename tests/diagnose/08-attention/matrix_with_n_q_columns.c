#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void attention(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
               const float *value, float *context)
{
    float *S = calloc((n_q + n_k) * (n_q + n_k), sizeof(float));
    for (size_t i = 0; i < n_q; i++)
        for (size_t j = 0; j < n_k; j++) {
            S[i * n_q + j] = 0;
            for (size_t d = 0; d < d_k; d++)
                S[i * n_q + j] += query[i * d_k + d] * key[j * d_k + d];
            S[i * n_q + j] /= sqrtf((float)d_k);
        }
    for (size_t i = 0; i < n_q; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n_k; j++)
            max = fmaxf(max, S[i * n_q + j]);
        for (size_t j = 0; j < n_k; j++)
            sum += expf(S[i * n_q + j] - max);
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n_k; j++)
                mix += expf(S[i * n_q + j] - max) / sum * value[j * d_v + c];
            context[i * d_v + c] = mix;
        }
    }
    free(S);
}
