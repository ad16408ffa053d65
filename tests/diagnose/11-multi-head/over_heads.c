#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void project(size_t n, size_t d, const float *in, const float *w, float *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            float s = 0;
            for (size_t k = 0; k < d; k++)
                s += in[i * d + k] * w[k * d + j];
            out[i * d + j] = s;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t dh = d_model / n_heads;
    float *q = malloc(n * d_model * sizeof *q);
    float *k = malloc(n * d_model * sizeof *k);
    float *v = malloc(n * d_model * sizeof *v);
    float *joined = calloc(n * d_model, sizeof *joined);
    float *p = malloc(n * sizeof *p);
    project(n, d_model, x, w_query, q);
    project(n, d_model, x, w_key, k);
    project(n, d_model, x, w_value, v);
    for (size_t h = 0; h < n_heads; h++) {
        for (size_t i = 0; i < n; i++) {
            size_t last = causal ? i + 1 : n;
            float top = -INFINITY;
            for (size_t j = 0; j < last; j++) {
                float s = 0;
                for (size_t c = 0; c < dh; c++)
                    s += q[i * d_model + h * dh + c] * k[j * d_model + h * dh + c];
                p[j] = s / n_heads;
                if (p[j] > top)
                    top = p[j];
            }
            float z = 0;
            for (size_t j = 0; j < last; j++) {
                p[j] = expf(p[j] - top);
                z += p[j];
            }
            for (size_t j = 0; j < last; j++)
                for (size_t c = 0; c < dh; c++)
                    joined[i * d_model + h * dh + c] += p[j] / z * v[j * d_model + h * dh + c];
        }
    }
    project(n, d_model, joined, w_out, out);
    free(q);
    free(k);
    free(v);
    free(joined);
    free(p);
}
