#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void mat(size_t n, size_t d, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n * d; i++) {
        size_t r = i / d, s = i % d;
        c[i] = 0;
        for (size_t k = 0; k < d; k++)
            c[i] += a[r * d + k] * b[k * d + s];
    }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *q = malloc(n * d_model * 4), *k = malloc(n * d_model * 4), *v = malloc(n * d_model * 4);
    float *cat = malloc(n * d_model * 4), *w = malloc(n * 4);
    mat(n, d_model, x, w_query, q);
    mat(n, d_model, x, w_key, k);
    mat(n, d_model, x, w_value, v);
    for (size_t i = 0; i < n; i++) {
        size_t end = causal ? i + 1 : n;
        float total = 0;
        for (size_t h = 0; h < n_heads; h++) {
            float *qi = q + i * d_model + h * d_head;
            float top = -INFINITY;
            for (size_t j = 0; j < end; j++) {
                float *kj = k + j * d_model + h * d_head;
                w[j] = 0;
                for (size_t c = 0; c < d_head; c++)
                    w[j] += qi[c] * kj[c];
                w[j] /= sqrtf(d_head);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < end; j++) {
                w[j] = expf(w[j] - top);
                total += w[j];
            }
            for (size_t c = 0; c < d_head; c++) {
                float s = 0;
                for (size_t j = 0; j < end; j++)
                    s += w[j] * v[j * d_model + h * d_head + c];
                cat[i * d_model + h * d_head + c] = s / total;
            }
        }
    }
    mat(n, d_model, cat, w_out, out);
    free(q); free(k); free(v); free(cat); free(w);
}
