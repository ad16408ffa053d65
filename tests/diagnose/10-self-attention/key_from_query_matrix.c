#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void mul(size_t n, size_t m, size_t p, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float s = 0;
            for (size_t k = 0; k < m; k++)
                s += a[i * m + k] * b[k * p + j];
            c[i * p + j] = s;
        }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *q = malloc(n * d_k * sizeof *q);
    float *k = malloc(n * d_k * sizeof *k);
    float *v = malloc(n * d_v * sizeof *v);
    float *w = malloc(n * sizeof *w);
    (void)w_key;
    mul(n, d_model, d_k, x, w_query, q);
    mul(n, d_model, d_k, x, w_query, k);
    mul(n, d_model, d_v, x, w_value, v);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t d = 0; d < d_k; d++)
                s += q[i * d_k + d] * k[j * d_k + d];
            w[j] = s / sqrtf((float)d_k);
            if (w[j] > top)
                top = w[j];
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - top);
            sum += w[j];
        }
        for (size_t c = 0; c < d_v; c++) {
            float s = 0;
            for (size_t j = 0; j < n; j++)
                s += w[j] * v[j * d_v + c];
            context[i * d_v + c] = s / sum;
        }
    }
    free(q);
    free(k);
    free(v);
    free(w);
}
