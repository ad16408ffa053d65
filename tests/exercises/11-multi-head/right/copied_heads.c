/* Copies the heads into arrays of their own, (n_heads, n, d_head), and back. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void product(size_t n, size_t m, const float *a, const float *b, float *out)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < m; c++)
            out[i * m + c] = 0.0f;
        for (size_t k = 0; k < m; k++)
            for (size_t c = 0; c < m; c++)
                out[i * m + c] += a[i * m + k] * b[k * m + c];
    }
}

/* (n, n_heads, d_head) to (n_heads, n, d_head); and back, with n and n_heads exchanged */
static void permute(size_t n, size_t n_heads, size_t d_head, const float *from, float *to)
{
    for (size_t i = 0; i < n; i++)
        for (size_t h = 0; h < n_heads; h++)
            for (size_t c = 0; c < d_head; c++)
                to[(h * n + i) * d_head + c] = from[(i * n_heads + h) * d_head + c];
}

static void attend(size_t n_keys, size_t d, const float *q, const float *key, const float *value,
                   float *weights, float *context)
{
    float top = -INFINITY, sum = 0.0f;
    for (size_t j = 0; j < n_keys; j++) {
        weights[j] = 0.0f;
        for (size_t c = 0; c < d; c++)
            weights[j] += q[c] * key[j * d + c];
        weights[j] *= 1.0f / sqrtf((float)d);
        top = fmaxf(top, weights[j]);
    }
    for (size_t j = 0; j < n_keys; j++)
        sum += weights[j] = expf(weights[j] - top);
    for (size_t c = 0; c < d; c++) {
        context[c] = 0.0f;
        for (size_t j = 0; j < n_keys; j++)
            context[c] += weights[j] / sum * value[j * d + c];
    }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t size = n * d_model, d_head = d_model / n_heads;
    float *all = malloc((5 * size + n) * sizeof *all);
    if (all == NULL)
        return;
    float *query = all, *key = query + size, *value = key + size, *context = value + size;
    float *spare = context + size, *weights = spare + size;
    product(n, d_model, x, w_query, spare);
    permute(n, n_heads, d_head, spare, query);
    product(n, d_model, x, w_key, spare);
    permute(n, n_heads, d_head, spare, key);
    product(n, d_model, x, w_value, spare);
    permute(n, n_heads, d_head, spare, value);
    for (size_t h = 0; h < n_heads; h++) {
        const size_t head = h * n * d_head;
        for (size_t i = 0; i < n; i++)
            attend(causal ? i + 1 : n, d_head, query + head + i * d_head, key + head, value + head,
                   weights, context + head + i * d_head);
    }
    permute(n_heads, n, d_head, context, spare);
    product(n, d_model, spare, w_out, out);
    free(all);
}
