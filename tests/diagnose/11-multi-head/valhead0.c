#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(size_t n, size_t d, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < d; j++) {
            float acc = 0;
            for (size_t k = 0; k < d; k++)
                acc += a[i * d + k] * b[k * d + j];
            c[i * d + j] = acc;
        }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    size_t bytes = n * d_model * sizeof(float);
    float *query = malloc(bytes), *key = malloc(bytes), *value = malloc(bytes), *joined = malloc(bytes);
    float *w = malloc(n * sizeof(float));

    matmul(n, d_model, x, w_query, query);
    matmul(n, d_model, x, w_key, key);
    matmul(n, d_model, x, w_value, value);

    for (size_t i = 0; i < n; i++) {
        for (size_t h = 0; h < n_heads; h++) {
            const float *q = query + i * d_model + h * d_head;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                const float *k = key + j * d_model + h * d_head;
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += q[c] * k[c];
                w[j] = dot / sqrtf((float)d_head);
                if (causal && j > i)
                    w[j] = -INFINITY;
                if (w[j] > top)
                    top = w[j];
            }
            for (size_t j = 0; j < n; j++)
                total += w[j] = expf(w[j] - top);
            float *o = joined + i * d_model + h * d_head;
            for (size_t c = 0; c < d_head; c++)
                o[c] = 0;
            for (size_t j = 0; j < n; j++) {
                const float *v = value + j * d_model;
                for (size_t c = 0; c < d_head; c++)
                    o[c] += w[j] / total * v[c];
            }
        }
    }
    matmul(n, d_model, joined, w_out, out);
    free(query);
    free(key);
    free(value);
    free(joined);
    free(w);
}
