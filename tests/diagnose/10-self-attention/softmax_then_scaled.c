#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static float *matmul(const float *a, const float *b, size_t n, size_t m, size_t p)
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

static float *turn(const float *a, size_t n, size_t m)
{
    float *t = malloc(n * m * sizeof *t);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            t[j * n + i] = a[i * m + j];
    return t;
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *q = matmul(x, w_query, n, d_model, d_k);
    float *k = matmul(x, w_key, n, d_model, d_k);
    float *v = matmul(x, w_value, n, d_model, d_v);
    float *kt = turn(k, n, d_k);
    float *s = matmul(q, kt, n, d_k, n);
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            top = fmaxf(top, s[i * n + j]);
        }
        for (size_t j = 0; j < n; j++)
            sum += s[i * n + j] = expf(s[i * n + j] - top);
        for (size_t j = 0; j < n; j++)
            s[i * n + j] /= sum * sqrtf((float)d_k);
    }
    float *o = matmul(s, v, n, n, d_v);
    for (size_t i = 0; i < n * d_v; i++)
        context[i] = o[i];
    free(q); free(k); free(v); free(kt); free(s); free(o);
}
