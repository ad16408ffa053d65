#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static float *mul(const float *a, const float *b, size_t n, size_t d)
{
    float *r = malloc(n * d * sizeof *r);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            float s = 0;
            for (size_t k = 0; k < d; k++)
                s += a[i * d + k] * b[k * d + j];
            r[i * d + j] = s;
        }
    return r;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *q = mul(x, w_query, n, d_model), *k = mul(x, w_key, n, d_model);
    float *v = mul(x, w_value, n, d_model);
    float *joined = malloc(n * d_model * sizeof *joined), *p = malloc(n * sizeof *p);
#define COLUMN(h, c) ((c) * n_heads + (h))
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            size_t seen = causal ? i + 1 : n;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < seen; j++) {
                float s = 0;
                for (size_t c = 0; c < d_head; c++)
                    s += q[i * d_model + COLUMN(h, c)] * k[j * d_model + COLUMN(h, c)];
                p[j] = s / sqrtf((float)d_head);
                top = fmaxf(top, p[j]);
            }
            for (size_t j = 0; j < seen; j++)
                total += p[j] = expf(p[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                float s = 0;
                for (size_t j = 0; j < seen; j++)
                    s += p[j] * v[j * d_model + COLUMN(h, c)];
                joined[i * d_model + COLUMN(h, c)] = s / total;
            }
        }
    float *result = mul(joined, w_out, n, d_model);
    for (size_t e = 0; e < n * d_model; e++)
        out[e] = result[e];
    free(q);
    free(k);
    free(v);
    free(joined);
    free(p);
    free(result);
}
