#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    float *w = malloc(n * sizeof *w);
    if (w == NULL)
        return;
    for (size_t h = 0; h < n_heads; h++) {
        size_t kv = h % n_kv_heads;
        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                float s = 0;
                for (size_t c = 0; c < d_head; c++)
                    s += query[(h * n + i) * d_head + c] * key[(kv * n + j) * d_head + c];
                w[j] = s / sqrtf((float)d_head);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n; j++) {
                w[j] = expf(w[j] - top);
                total += w[j];
            }
            for (size_t c = 0; c < d_head; c++) {
                float s = 0;
                for (size_t j = 0; j < n; j++)
                    s += w[j] * value[(kv * n + j) * d_head + c];
                out[(h * n + i) * d_head + c] = s / total;
            }
        }
    }
    free(w);
}
