/* Goes over the pairs of words once; in there over the heads, each with its own running softmax. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void product(size_t n, size_t m, const float *a, const float *b, float *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < m; c++) {
            float sum = 0.0f;
            for (size_t k = m; k-- > 0;)
                sum += a[i * m + k] * b[k * m + c];
            out[i * m + c] = sum;
        }
}

struct head {
    float top, sum;
};

void multi_head_attention(size_t n, size_t d_model, size_t n_heads, bool causal, const float *x,
                          const float *w_query, const float *w_key, const float *w_value,
                          const float *w_out, float *out)
{
    const size_t size = n * d_model, d_head = d_model / n_heads;
    const float scale = 1.0f / sqrtf((float)d_head);
    struct head *heads = malloc(n_heads * sizeof *heads);
    float *query = malloc((3 * size + d_model) * sizeof *query);
    if (heads == NULL || query == NULL) {
        free(heads);
        free(query);
        return;
    }
    float *key = query + size, *value = key + size, *joined = value + size;
    product(n, d_model, x, w_query, query);
    product(n, d_model, x, w_key, key);
    product(n, d_model, x, w_value, value);
    for (size_t i = 0; i < n; i++) {
        for (size_t h = 0; h < n_heads; h++)
            heads[h] = (struct head){-INFINITY, 0.0f};
        memset(joined, 0, d_model * sizeof *joined);
        for (size_t j = 0; j < n && (!causal || j <= i); j++) {
            for (size_t h = 0; h < n_heads; h++) {
                const size_t mine = i * d_model + h * d_head, other = j * d_model + h * d_head;
                float score = 0.0f;
                for (size_t c = 0; c < d_head; c++)
                    score += query[mine + c] * key[other + c];
                score *= scale;
                const float top = fmaxf(heads[h].top, score);
                const float shrink = expf(heads[h].top - top), share = expf(score - top);
                heads[h] = (struct head){top, heads[h].sum * shrink + share};
                for (size_t c = 0; c < d_head; c++) {
                    float *cell = &joined[h * d_head + c];
                    *cell = *cell * shrink + share * value[other + c];
                }
            }
        }
        for (size_t c = 0; c < d_model; c++)
            joined[c] /= heads[c / d_head].sum;
        product(1, d_model, joined, w_out, out + i * d_model);
    }
    free(heads);
    free(query);
}
