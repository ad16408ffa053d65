#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* out = a b, for a (n, m) and b (m, p) */
static void product(size_t n, size_t m, size_t p, const float *a, const float *b, float *out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < p; c++) {
            float sum = 0.0f;
            for (size_t k = 0; k < m; k++)
                sum += a[i * m + k] * b[c * m + k];
            out[i * p + c] = sum;
        }
    }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = malloc(n * d_k * sizeof *query), *key = malloc(n * d_k * sizeof *key);
    float *value = malloc(n * d_v * sizeof *value), *scores = malloc(n * n * sizeof *scores);
    product(n, d_model, d_k, x, w_query, query);
    product(n, d_model, d_k, x, w_key, key);
    product(n, d_model, d_v, x, w_value, value);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            float dot = 0.0f;
            for (size_t d = 0; d < d_k; d++)
                dot += query[i * d_k + d] * key[j * d_k + d];
            scores[i * n + j] = dot / sqrtf((float)d_k);
        }
    }
    for (size_t i = 0; i < n; i++) {
        float *row = scores + i * n, top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < n; j++)
            top = fmaxf(top, row[j]);
        for (size_t j = 0; j < n; j++) {
            row[j] = expf(row[j] - top);
            sum += row[j];
        }
        for (size_t j = 0; j < n; j++)
            row[j] /= sum;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < d_v; c++) {
            float sum = 0.0f;
            for (size_t j = 0; j < n; j++)
                sum += scores[i * n + j] * value[j * d_v + c];
            context[i * d_v + c] = sum;
        }
    }
    free(query);
    free(key);
    free(value);
    free(scores);
}
