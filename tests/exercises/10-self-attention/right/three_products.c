#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* a (n, m) times b (m, p), in an array for the caller to free */
static float *product(size_t n, size_t m, size_t p, const float *a, const float *b)
{
    float *out = calloc(n * p, sizeof *out);
    for (size_t i = 0; out != NULL && i < n; i++)
        for (size_t k = 0; k < m; k++)
            for (size_t c = 0; c < p; c++)
                out[i * p + c] += a[i * m + k] * b[k * p + c];
    return out;
}

static void attend(size_t n, size_t d_k, size_t d_v, const float *query, const float *key,
                   const float *value, float *row, float *context)
{
    float top = -INFINITY, sum = 0.0f;
    for (size_t j = 0; j < n; j++) {
        row[j] = 0.0f;
        for (size_t d = 0; d < d_k; d++)
            row[j] += query[d] * key[j * d_k + d];
        row[j] /= sqrtf((float)d_k);
        top = fmaxf(top, row[j]);
    }
    for (size_t j = 0; j < n; j++)
        sum += row[j] = expf(row[j] - top);
    for (size_t c = 0; c < d_v; c++) {
        context[c] = 0.0f;
        for (size_t j = 0; j < n; j++)
            context[c] += row[j] / sum * value[j * d_v + c];
    }
}

void self_attention(size_t n, size_t d_model, size_t d_k, size_t d_v, const float *x,
                    const float *w_query, const float *w_key, const float *w_value, float *context)
{
    float *query = product(n, d_model, d_k, x, w_query), *key = product(n, d_model, d_k, x, w_key);
    float *value = product(n, d_model, d_v, x, w_value), *row = malloc(n * sizeof *row);
    if (query != NULL && key != NULL && value != NULL && row != NULL) {
        for (size_t i = 0; i < n; i++)
            attend(n, d_k, d_v, query + i * d_k, key, value, row, context + i * d_v);
    }
    free(query);
    free(key);
    free(value);
    free(row);
}
