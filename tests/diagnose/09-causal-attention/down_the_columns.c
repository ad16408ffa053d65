#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *S = malloc(n * n * sizeof(float));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            S[i * n + j] = j > i ? -INFINITY : dot / sqrtf((float)d_k);
        }
    for (size_t j = 0; j < n; j++) {
        float max = -INFINITY, sum = 0;
        for (size_t i = 0; i < n; i++)
            max = fmaxf(max, S[i * n + j]);
        for (size_t i = 0; i < n; i++)
            sum += S[i * n + j] = expf(S[i * n + j] - max);
        for (size_t i = 0; i < n; i++)
            S[i * n + j] /= sum;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_v; c++) {
            float acc = 0;
            for (size_t j = 0; j < n; j++)
                acc += S[i * n + j] * value[j * d_v + c];
            context[i * d_v + c] = acc;
        }
    free(S);
}
