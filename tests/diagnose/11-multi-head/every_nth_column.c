#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static void product(const float *a, const float *b, float *c, size_t rows, size_t width)
{
    for (size_t i = 0; i < rows; i++) {
        float *to = c + i * width;
        for (size_t j = 0; j < width; j++)
            to[j] = 0;
        for (size_t k = 0; k < width; k++)
            for (size_t j = 0; j < width; j++)
                to[j] += a[i * width + k] * b[k * width + j];
    }
}

static void one_head(size_t n, size_t width, size_t d_head, size_t n_heads, size_t h, bool causal,
                     const float *query, const float *key, const float *value, float *w,
                     float *joined)
{
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = 0;
            for (size_t c = 0; c < d_head; c++)
                w[j] += query[i * width + c * n_heads + h] * key[j * width + c * n_heads + h];
            w[j] /= sqrtf((float)d_head);
            if (causal && j > i)
                w[j] = -INFINITY;
            if (w[j] > top)
                top = w[j];
        }
        for (size_t j = 0; j < n; j++)
            total += w[j] = expf(w[j] - top);
        for (size_t c = 0; c < d_head; c++) {
            float s = 0;
            for (size_t j = 0; j < n; j++)
                s += w[j] / total * value[j * width + c * n_heads + h];
            joined[i * width + c * n_heads + h] = s;
        }
    }
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t size = n * d_model;
    float *mem = malloc((4 * size + n) * sizeof *mem);
    if (mem == NULL)
        return;
    float *query = mem, *key = mem + size, *value = mem + 2 * size, *joined = mem + 3 * size;
    product(x, w_query, query, n, d_model);
    product(x, w_key, key, n, d_model);
    product(x, w_value, value, n, d_model);
    for (size_t h = 0; h < n_heads; h++)
        one_head(n, d_model, d_model / n_heads, n_heads, h, causal, query, key, value,
                 mem + 4 * size, joined);
    product(joined, w_out, out, n, d_model);
    free(mem);
}
