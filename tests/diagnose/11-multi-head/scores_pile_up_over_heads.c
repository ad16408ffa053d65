#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void matmul(const float *a, const float *b, float *c, size_t n, size_t m)
{
    for (size_t i = 0; i < n; i++, a += m, c += m)
        for (size_t j = 0; j < m; j++) {
            c[j] = 0;
            for (size_t k = 0; k < m; k++)
                c[j] += a[k] * b[k * m + j];
        }
}

static void softmax_row(const float *in, float *out, size_t n)
{
    float top = in[0], total = 0;
    for (size_t j = 1; j < n; j++)
        if (in[j] > top)
            top = in[j];
    for (size_t j = 0; j < n; j++)
        total += out[j] = expf(in[j] - top);
    for (size_t j = 0; j < n; j++)
        out[j] /= total;
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
    float *scores = malloc(n * n * sizeof(float));
    float *weights = malloc(n * n * sizeof(float));
    matmul(x, w_query, query, n, d_model);
    matmul(x, w_key, key, n, d_model);
    matmul(x, w_value, value, n, d_model);

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            scores[i * n + j] = causal && j > i ? -INFINITY : 0.0f;

    for (size_t first = 0; first < d_model; first += d_head) {
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++)
                for (size_t c = first; c < first + d_head; c++)
                    scores[i * n + j] +=
                        query[i * d_model + c] * key[j * d_model + c] / sqrtf((float)d_head);
            softmax_row(scores + i * n, weights + i * n, n);
        }
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                for (size_t c = first; c < first + d_head; c++)
                    joined[i * d_model + c] += weights[i * n + j] * value[j * d_model + c];
    }
    matmul(joined, w_out, out, n, d_model);
    free(query);
    free(key);
    free(value);
    free(joined);
    free(scores);
    free(weights);
}
