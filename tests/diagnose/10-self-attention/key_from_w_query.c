#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(size_t n, size_t m, size_t p, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float sum = 0;
            for (size_t k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * p + j];
            c[i * p + j] = sum;
        }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = malloc(n * d_k * sizeof(float));
    float *key = malloc(n * d_k * sizeof(float));
    float *value = malloc(n * d_v * sizeof(float));
    float *w = malloc(n * sizeof(float));
    (void)w_key;
    if (query && key && value && w) {
        matmul(n, d_model, d_k, x, w_query, query);
        matmul(n, d_model, d_k, x, w_query, key);
        matmul(n, d_model, d_v, x, w_value, value);
        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                float s = 0;
                for (size_t d = 0; d < d_k; d++)
                    s += query[i * d_k + d] * key[j * d_k + d];
                w[j] = s / sqrtf((float)d_k);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n; j++) {
                w[j] = expf(w[j] - top);
                total += w[j];
            }
            for (size_t j = 0; j < n; j++)
                w[j] /= total;
            matmul(1, n, d_v, w, value, context + i * d_v);
        }
    }
    free(query);
    free(key);
    free(value);
    free(w);
}
