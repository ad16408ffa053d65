#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t share = n_heads / n_kv_heads;
    float *w = malloc(n * sizeof *w);
    for (size_t h = 0; h < n_heads; h++) {
        size_t g = h / share;
        const float *q = query + h * n * d_head;
        const float *k = key + g * n * d_head;
        const float *v = value + g * n * d_head;
        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY, sum = 0;
            for (size_t j = 0; j < n; j++) {
                float dot = 0;
                for (size_t d = 0; d < d_head; d++)
                    dot += q[i * d_head + d] * k[j * d_head + d];
                w[j] = dot / sqrtf((float)d_head) / (float)share;
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n; j++) {
                w[j] = expf(w[j] - top);
                sum += w[j];
            }
            for (size_t d = 0; d < d_head; d++) {
                float mix = 0;
                for (size_t j = 0; j < n; j++)
                    mix += w[j] * v[j * d_head + d];
                out[(h * n + i) * d_head + d] = mix / sum;
            }
        }
    }
    free(w);
}

