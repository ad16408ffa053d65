/* Repeats the key and value heads first, then does ordinary multi-head attention in double. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static float *repeat_heads(size_t n_heads, size_t group, size_t size, const float *heads)
{
    float *all = malloc(n_heads * size * sizeof *all);
    for (size_t h = 0; all != NULL && h < n_heads; h++)
        memcpy(all + h * size, heads + h / group * size, size * sizeof *all);
    return all;
}

static double score(size_t d, const float *q, const float *k)
{
    double sum = 0;
    for (size_t c = 0; c < d; c++)
        sum += (double)q[c] * (double)k[c];
    return sum / sqrt((double)d);
}

static void row(size_t n, size_t d, const float *q, const float *k, const float *v, float *out)
{
    double max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        max = fmax(max, score(d, q, k + j * d));
    for (size_t j = 0; j < n; j++)
        sum += exp(score(d, q, k + j * d) - max);
    for (size_t c = 0; c < d; c++) {
        double mixed = 0;
        for (size_t j = 0; j < n; j++)
            mixed += exp(score(d, q, k + j * d) - max) / sum * (double)v[j * d + c];
        out[c] = (float)mixed;
    }
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t size = n * d_head, group = n_heads / n_kv_heads;
    float *keys = repeat_heads(n_heads, group, size, key);
    float *values = repeat_heads(n_heads, group, size, value);
    if (keys != NULL && values != NULL)
        for (size_t h = 0; h < n_heads; h++)
            for (size_t i = 0; i < n; i++)
                row(n, d_head, query + h * size + i * d_head, keys + h * size, values + h * size,
                    out + h * size + i * d_head);
    free(keys);
    free(values);
}
