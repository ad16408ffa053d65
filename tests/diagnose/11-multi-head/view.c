#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void one_head(size_t n, size_t d, bool causal, const float *q, const float *k, const float *v,
                     float *o, float *p)
{
    for (size_t i = 0; i < n; i++) {
        size_t seen = causal ? i + 1 : n;
        float m = -INFINITY, z = 0;
        for (size_t j = 0; j < seen; j++) {
            p[j] = 0;
            for (size_t c = 0; c < d; c++)
                p[j] += q[i * d + c] * k[j * d + c];
            p[j] /= sqrtf((float)d);
            m = fmaxf(m, p[j]);
        }
        for (size_t j = 0; j < seen; j++)
            z += p[j] = expf(p[j] - m);
        for (size_t c = 0; c < d; c++) {
            o[i * d + c] = 0;
            for (size_t j = 0; j < seen; j++)
                o[i * d + c] += p[j] * v[j * d + c] / z;
        }
    }
}

static void mm(const float *a, const float *b, float *c, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            float s = 0;
            for (size_t k = 0; k < d; k++)
                s += a[i * d + k] * b[k * d + j];
            c[i * d + j] = s;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *q = malloc(n * d_model * sizeof *q), *k = malloc(n * d_model * sizeof *k);
    float *v = malloc(n * d_model * sizeof *v), *joined = malloc(n * d_model * sizeof *joined);
    float *p = malloc(n * sizeof *p);
    mm(x, w_query, q, n, d_model);
    mm(x, w_key, k, n, d_model);
    mm(x, w_value, v, n, d_model);
    for (size_t h = 0; h < n_heads; h++) {
        size_t start = h * n * d_head;
        one_head(n, d_head, causal, q + start, k + start, v + start, joined + start, p);
    }
    mm(joined, w_out, out, n, d_model);
    free(q); free(k); free(v); free(joined); free(p);
}
