#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* softmax(q k^T / sqrt(d)) v for one head. */
static void head_attention(size_t n, size_t d, const float *q, const float *k, const float *v,
                           float *out)
{
    const float scale = 1 / sqrtf((float)d);
    float *weights = malloc(n * sizeof *weights);
    if (weights == NULL)
        return;
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
    free(weights);
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t size = n * d_head;
    for (size_t h = 0; h < n_heads; h++) {
        const size_t kv = h / (n_heads / n_kv_heads);
        head_attention(n, d_head, query + h * size, key + kv * size, value + kv * size,
                       out + h * size);
    }
}
