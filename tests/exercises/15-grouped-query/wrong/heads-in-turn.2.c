/* Repeats the whole block of key heads, as one would with a copy. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* softmax(q k^T / sqrt(d)) v for one head. */
static void head_attention(size_t n, size_t d, const float *q, const float *k, const float *v,
                           float *out)
{
    const float scale = 1 / sqrtf((float)d);
    float weights[64];
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += q[i * d + c] * k[j * d + c];
            weights[j] = dot * scale;
            if (weights[j] > max)
                max = weights[j];
        }
        for (size_t j = 0; j < n; j++) {
            weights[j] = expf(weights[j] - max);
            sum += weights[j];
        }
        for (size_t c = 0; c < d; c++) {
            float mixed = 0;
            for (size_t j = 0; j < n; j++)
                mixed += weights[j] * v[j * d + c];
            out[i * d + c] = mixed / sum;
        }
    }
}

static float *repeat(size_t times, size_t size, const float *block)
{
    float *all = malloc(times * size * sizeof *all);
    for (size_t t = 0; all != NULL && t < times; t++)
        memcpy(all + t * size, block, size * sizeof *all);
    return all;
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t size = n * d_head;
    float *keys = repeat(n_heads / n_kv_heads, n_kv_heads * size, key);
    float *values = repeat(n_heads / n_kv_heads, n_kv_heads * size, value);
    if (keys != NULL && values != NULL)
        for (size_t h = 0; h < n_heads; h++)
            head_attention(n, d_head, query + h * size, keys + h * size, values + h * size,
                           out + h * size);
    free(keys);
    free(values);
}
