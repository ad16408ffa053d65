/* Thinks of the arrays as (n_heads, n, d_head) from the start, and joins them as one should. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static float element(size_t d_model, const float *x, const float *w, size_t at)
{
    float sum = 0.0f;
    for (size_t m = 0; m < d_model; m++)
        sum += x[at / d_model * d_model + m] * w[m * d_model + at % d_model];
    return sum;
}

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    size_t d_head = d_model / n_heads;
    float *heads = malloc(3 * n * d_model * sizeof *heads);
    float *joined = malloc(n * d_model * sizeof *joined), *row = malloc(n * sizeof *row);
    for (size_t at = 0; at < n * d_model; at++) {
        heads[at] = element(d_model, x, w_query, at);
        heads[n * d_model + at] = element(d_model, x, w_key, at);
        heads[2 * n * d_model + at] = element(d_model, x, w_value, at);
    }
    for (size_t h = 0; h < n_heads; h++) {
        const float *query = heads + h * n * d_head, *key = query + n * d_model;
        const float *value = key + n * d_model;
        for (size_t i = 0; i < n; i++) {
            size_t n_seen = causal ? i + 1 : n;
            float top = -INFINITY, sum = 0.0f;
            for (size_t j = 0; j < n_seen; j++) {
                row[j] = 0.0f;
                for (size_t c = 0; c < d_head; c++)
                    row[j] += query[i * d_head + c] * key[j * d_head + c];
                row[j] /= sqrtf((float)d_head);
                top = fmaxf(top, row[j]);
            }
            for (size_t j = 0; j < n_seen; j++)
                sum += row[j] = expf(row[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                float mixed = 0.0f;
                for (size_t j = 0; j < n_seen; j++)
                    mixed += row[j] / sum * value[j * d_head + c];
                joined[i * d_model + h * d_head + c] = mixed;
            }
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < d_model; m++) {
            out[i * d_model + m] = 0.0f;
            for (size_t c = 0; c < d_model; c++)
                out[i * d_model + m] += joined[i * d_model + c] * w_out[c * d_model + m];
        }
    free(heads);
    free(joined);
    free(row);
}
