#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    const float(*Q)[d_k] = (const float(*)[d_k])query;
    const float(*K)[d_k] = (const float(*)[d_k])key;
    const float(*V)[d_v] = (const float(*)[d_v])value;
    float(*C)[d_v] = (float(*)[d_v])context;
    float *S = malloc(n * sizeof *S);
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j <= i; j++) {
            S[j] = 0;
            for (size_t d = 0; d < d_k; d++)
                S[j] += K[i][d] * Q[j][d];
            S[j] /= sqrtf(d_k);
            max = fmaxf(max, S[j]);
        }
        for (size_t j = 0; j <= i; j++)
            sum += S[j] = expf(S[j] - max);
        for (size_t c = 0; c < d_v; c++) {
            C[i][c] = 0;
            for (size_t j = 0; j <= i; j++)
                C[i][c] += S[j] / sum * V[j][c];
        }
    }
    free(S);
}
