#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void one_head(size_t n, size_t d, const float *q, const float *k, const float *v, float *o)
{
    float *w = malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t c = 0; c < d; c++)
                s += q[i * d + c] * k[j * d + c];
            w[j] = s / sqrtf((float)d);
            top = w[j] > top ? w[j] : top;
        }
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - top);
            sum += w[j];
        }
        for (size_t c = 0; c < d; c++) {
            float mix = 0;
            for (size_t j = 0; j < n; j++)
                mix += w[j] * v[j * d + c];
            o[i * d + c] = mix / sum;
        }
    }
    free(w);
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    size_t size = n * d_head;
    for (size_t h = 0; h < n_heads; h++) {
        size_t g = h / group;
        one_head(n, d_head, query + h * size, key + g * size, value + h % n_kv_heads * size, out + h * size);
    }
}
