#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static float *mul(const float *a, const float *b, size_t n, size_t m, size_t p)
{
    float *c = malloc(n * p * sizeof *c);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float s = 0;
            for (size_t k = 0; k < m; k++)
                s += a[i * m + k] * b[k * p + j];
            c[i * p + j] = s;
        }
    return c;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *q = mul(x, w_query, n, d_model, d_model);
    float *k = mul(x, w_key, n, d_model, d_model);
    float *v = mul(x, w_value, n, d_model, d_model);
    float *joined = malloc(n * d_model * sizeof(float));
    float *s = malloc(n * sizeof(float));
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            size_t len = causal ? i + 1 : n;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < len; j++) {
                s[j] = 0;
                for (size_t c = 0; c < d_head; c++)
                    s[j] += q[i * d_model + c * n_heads + h] * k[j * d_model + c * n_heads + h];
                s[j] /= sqrtf((float)d_head);
                top = fmaxf(top, s[j]);
            }
            for (size_t j = 0; j < len; j++)
                total += s[j] = expf(s[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                float acc = 0;
                for (size_t j = 0; j < len; j++)
                    acc += s[j] / total * v[j * d_model + c * n_heads + h];
                joined[i * d_model + c * n_heads + h] = acc;
            }
        }
    float *o = mul(joined, w_out, n, d_model, d_model);
    for (size_t i = 0; i < n * d_model; i++)
        out[i] = o[i];
    free(o); free(s); free(joined); free(v); free(k); free(q);
}
