#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(const float *a, const float *b, float *c, size_t n, size_t d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            c[i * d + j] = 0;
            for (size_t k = 0; k < d; k++)
                c[i * d + j] += a[i * d + k] * b[k * d + j];
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
    float *joined = calloc(n * d_model, sizeof(float));
    float *p = malloc(n * sizeof(float));
    matmul(x, w_query, q, n, d_model);
    matmul(x, w_key, k, n, d_model);
    matmul(x, w_value, v, n, d_model);
    for (size_t h = 0; h < n_heads; h++) {
        size_t off = h * d_head;
        for (size_t i = 0; i < n; i++) {
            size_t end = causal ? i + 1 : n;
            float top = -INFINITY;
            for (size_t j = 0; j < end; j++) {
                float s = 0;
                for (size_t c = 0; c < d_head; c++)
                    s += q[i * d_model + off + c] * k[j * d_model + off + c];
                p[j] = s / sqrtf((float)n_heads);
                if (p[j] > top)
                    top = p[j];
            }
            float z = 0;
            for (size_t j = 0; j < end; j++) {
                p[j] = expf(p[j] - top);
                z += p[j];
            }
            for (size_t j = 0; j < end; j++)
                for (size_t c = 0; c < d_head; c++)
                    joined[i * d_model + off + c] += p[j] / z * v[j * d_model + off + c];
        }
    }
    matmul(joined, w_out, out, n, d_model);
    free(q); free(k); free(v); free(joined); free(p);
}
