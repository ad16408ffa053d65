#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define AT(a, i, j) (a)[(i) * d_model + (j)]

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    float *q = calloc(n * d_model, sizeof(float));
    float *k = calloc(n * d_model, sizeof(float));
    float *v = calloc(n * d_model, sizeof(float));
    float *y = calloc(n * d_model, sizeof(float));
    float *w = calloc(n, sizeof(float));
    const size_t dh = d_model / n_heads;
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < d_model; ++j)
            for (size_t m = 0; m < d_model; ++m) {
                AT(q, i, j) += AT(x, i, m) * AT(w_query, m, j);
                AT(k, i, j) += AT(x, i, m) * AT(w_key, m, j);
                AT(v, i, j) += AT(x, i, m) * AT(w_value, m, j);
            }
    for (size_t h = 0; h < n_heads; ++h) {
        for (size_t i = 0; i < n; ++i) {
            const size_t keys = causal ? i + 1 : n;
            float max = -INFINITY, sum = 0.0f;
            for (size_t j = 0; j < keys; ++j) {
                w[j] = 0.0f;
                for (size_t c = 0; c < dh; ++c)
                    w[j] += AT(q, i, h * dh + c) * AT(k, j, h * dh + c);
                w[j] /= sqrtf((float)dh);
                if (w[j] > max) max = w[j];
            }
            for (size_t j = 0; j < keys; ++j) { w[j] = expf(w[j] - max); sum += w[j]; }
            for (size_t j = 0; j < keys; ++j)
                for (size_t c = 0; c < dh; ++c)
                    AT(y, i, h * dh + c) += w[j] / sum * AT(v, j, h * dh + c);
        }
    }
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < d_model; ++j) {
            float s = 0.0f;
            for (size_t m = 0; m < d_model; ++m)
                s += AT(y, i, m) * AT(w_out, j, m);
            AT(out, i, j) = s;
        }
    free(q); free(k); free(v); free(y); free(w);
}
