#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void project(size_t n, size_t d, const float *x, const float *w, float *y)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < d; c++) {
            float s = 0;
            for (size_t m = 0; m < d; m++)
                s += x[i * d + m] * w[m * d + c];
            y[i * d + c] = s;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t dh = d_model / n_heads;
    size_t all = n * d_model;
    float *q = malloc(4 * all * sizeof(float)), *k = q + all, *v = k + all, *joined = v + all;
    float *s = malloc(n * sizeof(float));
    project(n, d_model, x, w_query, q);
    project(n, d_model, x, w_key, k);
    project(n, d_model, x, w_value, v);
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            size_t seen = causal ? i + 1 : n;
            float top = -INFINITY, sum = 0;
            for (size_t j = 0; j < n; j++) {
                float dot = 0;
                for (size_t d = 0; d < dh; d++)
                    dot += q[i * d_model + h * dh + d] * k[j * d_model + h * dh + d];
                s[j] = dot / sqrtf((float)dh);
                top = fmaxf(top, s[j]);
            }
            for (size_t j = 0; j < seen; j++) {
                s[j] = expf(s[j] - top);
                sum += s[j];
            }
            for (size_t d = 0; d < dh; d++) {
                float mix = 0;
                for (size_t j = 0; j < seen; j++)
                    mix += s[j] * v[j * d_model + h * dh + d];
                joined[i * d_model + h * dh + d] = mix / sum;
            }
        }
    project(n, d_model, joined, w_out, out);
    free(s);
    free(q);
}

