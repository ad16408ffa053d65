#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* out = a b, for a (n, m) and b (m, p) */
static void product(size_t n, size_t m, size_t p, const float *a, const float *b, float *out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < p; c++) {
            float sum = 0.0f;
            for (size_t k = 0; k < m; k++)
                sum += a[i * m + k] * b[k * p + c];
            out[i * p + c] = sum;
        }
    }
}

static void softmax(size_t n, float *row)
{
    float top = -INFINITY, sum = 0.0f;
    for (size_t j = 0; j < n; j++)
        top = fmaxf(top, row[j]);
    for (size_t j = 0; j < n; j++) {
        row[j] = expf(row[j] - top);
        sum += row[j];
    }
    for (size_t j = 0; j < n; j++)
        row[j] /= sum;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *query = malloc(n * d_model * sizeof *query), *key = malloc(n * d_model * sizeof *key);
    float *value = malloc(n * d_model * sizeof *value);
    float *joined = malloc(n * d_model * sizeof *joined), *row = malloc(n * sizeof *row);
    product(n, d_model, d_model, x, w_query, query);
    product(n, d_model, d_model, x, w_key, key);
    product(n, d_model, d_model, x, w_value, value);
    for (size_t h = 0; h < n_heads; h++) {
        for (size_t i = 0; i < n; i++) {
            const float *q = query + i * d_model;
            for (size_t j = 0; j < n; j++) {
                const float *k = key + j * d_model;
                float dot = 0.0f;
                for (size_t c = 0; c < d_head; c++)
                    dot += q[c] * k[c];
                row[j] = causal && j > i ? -INFINITY : dot / sqrtf((float)d_model);
            }
            softmax(n, row);
            for (size_t c = 0; c < d_head; c++) {
                float sum = 0.0f;
                for (size_t j = 0; j < n; j++)
                    sum += row[j] * value[j * d_model + c];
                joined[i * d_model + h * d_head + c] = sum;
            }
        }
    }
    product(n, d_model, d_model, joined, w_out, out);
    free(query);
    free(key);
    free(value);
    free(joined);
    free(row);
}
