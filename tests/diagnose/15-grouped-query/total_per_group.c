#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    float *e = malloc(n * sizeof *e);
    if (!e)
        return;
    for (size_t i = 0; i < n; i++) {
        float total = 0;
        for (size_t kv = 0; kv < n_kv_heads; kv++) {
            const float *keys = key + kv * n * d_head;
            const float *values = value + kv * n * d_head;
            for (size_t g = 0; g < group; g++) {
                size_t h = kv * group + g;
                const float *q = query + (h * n + i) * d_head;
                float *o = out + (h * n + i) * d_head;
                float top = -INFINITY;
                for (size_t j = 0; j < n; j++) {
                    e[j] = 0;
                    for (size_t c = 0; c < d_head; c++)
                        e[j] += q[c] * keys[j * d_head + c];
                    e[j] /= sqrtf((float)n);
                    top = fmaxf(top, e[j]);
                }
                for (size_t j = 0; j < n; j++)
                    total += e[j] = expf(e[j] - top);
                for (size_t c = 0; c < d_head; c++) {
                    float s = 0;
                    for (size_t j = 0; j < n; j++)
                        s += e[j] * values[j * d_head + c];
                    o[c] = s / total;
                }
            }
        }
    }
    free(e);
}
