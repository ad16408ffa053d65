#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(size_t n, size_t m, size_t p, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < p; j++) {
            c[i * p + j] = 0;
            for (size_t k = 0; k < m; k++)
                c[i * p + j] += a[i * m + k] * b[k * p + j];
        }
    }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *q = malloc(n * d_k * sizeof(float));
    float *k = malloc(n * d_k * sizeof(float));
    float *v = malloc(n * d_v * sizeof(float));
    float *s = malloc(n * n * sizeof(float));

    matmul(n, d_model, d_k, x, w_query, q);
    matmul(n, d_model, d_k, x, w_key, k);
    matmul(n, d_model, d_v, x, w_value, v);

    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY;
        float total = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += k[i * d_k + d] * q[j * d_k + d];
            s[i * n + j] = dot / sqrtf(d_k);
            if (s[i * n + j] > top)
                top = s[i * n + j];
        }
        for (size_t j = 0; j < n; j++) {
            s[i * n + j] = expf(s[i * n + j] - top);
            total += s[i * n + j];
        }
        for (size_t j = 0; j < n; j++)
            s[i * n + j] /= total;
    }
    matmul(n, n, d_v, s, v, context);

    free(q);
    free(k);
    free(v);
    free(s);
}
