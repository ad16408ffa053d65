#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    float *w = malloc(n * sizeof *w);
    for (size_t h = 0; h < n_heads; h++) {
        const float *k = key + h / group * n * d_head;
        const float *v = value + h % n_kv_heads * n * d_head;
        for (size_t i = 0; i < n; i++) {
            const float *q = query + (h * n + i) * d_head;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                float s = 0;
                for (size_t c = 0; c < d_head; c++)
                    s += q[c] * k[j * d_head + c];
                w[j] = s / sqrtf((float)d_head);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n; j++)
                total += w[j] = expf(w[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                float s = 0;
                for (size_t j = 0; j < n; j++)
                    s += w[j] * v[j * d_head + c];
                out[(h * n + i) * d_head + c] = s / total;
            }
        }
    }
    free(w);
}
