#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(const float *a, const float *b, float *c, size_t n, size_t m, size_t p)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float sum = 0;
            for (size_t k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * p + j];
            c[i * p + j] = sum;
        }
}

static void one_head(size_t n, size_t d, bool causal, const float *q, const float *k,
                     const float *v, float *out, float *w)
{
    for (size_t i = 0; i < n; i++) {
        size_t seen = causal ? i + 1 : n;
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < seen; j++) {
            float s = 0;
            for (size_t c = 0; c < d; c++)
                s += q[i * d + c] * k[j * d + c];
            w[j] = s / sqrtf((float)d);
            top = fmaxf(top, w[j]);
        }
        for (size_t j = 0; j < seen; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t c = 0; c < d; c++) {
            float s = 0;
            for (size_t j = 0; j < seen; j++)
                s += w[j] * v[j * d + c];
            out[i * d + c] = s / total;
        }
    }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    size_t size = n * d_model;
    float *mem = malloc((4 * size + n) * sizeof(float));
    if (mem == NULL)
        return;
    float *q = mem, *k = q + size, *v = k + size, *joined = v + size, *w = joined + size;

    matmul(x, w_query, q, n, d_model, d_model);
    matmul(x, w_key, k, n, d_model, d_model);
    matmul(x, w_value, v, n, d_model, d_model);
    for (size_t h = 0; h < n_heads; h++) {
        size_t start = h * n * d_head; /* view(n_heads, n, d_head) */
        one_head(n, d_head, causal, q + start, k + start, v + start, joined + start, w);
    }
    matmul(joined, w_out, out, n, d_model, d_model);
    free(mem);
}
