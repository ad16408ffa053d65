#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *att = malloc(n * n * sizeof(float));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            float sum = 0.f;
            for (size_t k = 0; k < d_k; k++)
                sum += query[i * d_k + k] * key[j * d_k + k];
            att[i * n + j] = j > i ? -INFINITY : sum / sqrtf((float)d_k);
        }
    for (size_t i = 0; i < n; i++) {
        float mx = FLT_MIN;
        for (size_t j = 0; j < n; j++)
            mx = fmaxf(mx, att[i * n + j]);
        float total = 0.f;
        for (size_t j = 0; j < n; j++) {
            att[i * n + j] = expf(att[i * n + j] - mx);
            total += att[i * n + j];
        }
        for (size_t j = 0; j < n; j++)
            att[i * n + j] /= total;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d_v; c++) {
            context[i * d_v + c] = 0.f;
            for (size_t j = 0; j < n; j++)
                context[i * d_v + c] += att[i * n + j] * value[j * d_v + c];
        }
    free(att);
}
