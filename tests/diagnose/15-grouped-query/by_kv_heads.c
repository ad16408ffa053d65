#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    float *w = malloc(n * sizeof *w);
    for (size_t h = 0; h < n_heads; h++) {
        size_t kv = h % n_kv_heads;
        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY, sum = 0;
            for (size_t j = 0; j < n; j++) {
                w[j] = 0;
                for (size_t c = 0; c < d_head; c++)
                    w[j] += query[(h * n + i) * d_head + c] * key[(kv * n + j) * d_head + c];
                w[j] /= sqrtf((float)d_head);
                if (w[j] > top) top = w[j];
            }
            for (size_t j = 0; j < n; j++) sum += w[j] = expf(w[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                float t = 0;
                for (size_t j = 0; j < n; j++) t += w[j] * value[(kv * n + j) * d_head + c];
                out[(h * n + i) * d_head + c] = t / sum;
            }
        }
    }
    free(w);
}
