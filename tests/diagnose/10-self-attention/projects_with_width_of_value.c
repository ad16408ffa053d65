#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void times(const float *a, const float *b, float *c, size_t n, size_t m, size_t p)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            c[i * p + j] = 0;
            for (size_t k = 0; k < m; k++)
                c[i * p + j] += a[i * m + k] * b[k * p + j];
        }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *q = malloc(n * d_k * sizeof *q), *k = malloc(n * d_k * sizeof *k);
    float *v = malloc(n * d_v * sizeof *v), *s = malloc(n * n * sizeof *s);
    times(x, w_query, q, n, d_model, d_k);
    times(x, w_key, k, n, d_model, d_k);
    times(x, w_value, v, n, d_model, d_v);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t d = 0; d < d_k; d++)
                dot += q[i * d_k + d] * x[j * d_model + d % d_model];
            s[j] = dot / sqrtf((float)d_k);
            top = fmaxf(top, s[j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += s[j] = expf(s[j] - top);
        for (size_t c = 0; c < d_v; c++) {
            float mix = 0;
            for (size_t j = 0; j < n; j++)
                mix += s[j] * v[j * d_v + c];
            context[i * d_v + c] = mix / sum;
        }
    }
    free(q); free(k); free(v); free(s);
}
