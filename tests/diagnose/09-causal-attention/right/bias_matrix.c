#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void causal_attention(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, float *context)
{
    float *bias = calloc(n * n, sizeof(float)), *a = malloc(n * n * sizeof(float));
    size_t i, j, k;
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            bias[i * n + j] = -INFINITY;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            for (a[i * n + j] = 0, k = 0; k < d_k; k++)
                a[i * n + j] += query[i * d_k + k] * key[j * d_k + k];
            a[i * n + j] = a[i * n + j] / sqrtf((float)d_k) + bias[i * n + j];
        }
    for (i = 0; i < n; i++) {
        float max = a[i * n], sum = 0;
        for (j = 1; j < n; j++)
            max = max < a[i * n + j] ? a[i * n + j] : max;
        for (j = 0; j < n; j++)
            sum += a[i * n + j] = expf(a[i * n + j] - max);
        for (j = 0; j < n; j++)
            a[i * n + j] /= sum;
    }
    for (i = 0; i < n; i++)
        for (k = 0; k < d_v; k++)
            for (context[i * d_v + k] = 0, j = 0; j < n; j++)
                context[i * d_v + k] += a[i * n + j] * value[j * d_v + k];
    free(a);
    free(bias);
}
