#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(size_t n, size_t m, size_t p, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < p; j++) {
            float sum = 0;
            for (size_t k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * p + j];
            c[i * p + j] = sum;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *query = malloc(n * d_model * sizeof(float));
    float *key = malloc(n * d_model * sizeof(float));
    float *value = malloc(n * d_model * sizeof(float));
    float *joined = calloc(n * d_model, sizeof(float));
    float *w = malloc(n * sizeof(float));
    if (query && key && value && joined && w) {
        matmul(n, d_model, d_model, x, w_query, query);
        matmul(n, d_model, d_model, x, w_key, key);
        matmul(n, d_model, d_model, x, w_value, value);
        for (size_t h = 0; h < n_heads; h++)
            for (size_t i = 0; i < n; i++) {
                size_t count = causal ? i + 1 : n;
                float top = -INFINITY, total = 0;
                for (size_t j = 0; j < count; j++) {
                    float s = 0;
                    for (size_t c = 0; c < d_head; c++)
                        s += query[i * d_model + h * d_head + c] * key[j * d_model + h * d_head + c];
                    w[j] = s / sqrtf((float)d_head);
                    top = fmaxf(top, w[j]);
                }
                for (size_t j = 0; j < count; j++) {
                    w[j] = expf(w[j] - top);
                    total += w[j];
                }
                for (size_t c = 0; c < d_head; c++) {
                    float s = 0;
                    for (size_t j = 0; j < count; j++)
                        s += w[j] * value[j * d_model + h * d_head + c];
                    joined[i * d_model + c] = s / total;
                }
            }
        matmul(n, d_model, d_model, joined, w_out, out);
    }
    free(query);
    free(key);
    free(value);
    free(joined);
    free(w);
}
