#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    float *w = malloc(n * sizeof(float));
    for (size_t h = 0; h < n_heads; h++) {
        size_t kv = h / n_kv_heads;
        const float *K = key + kv * n * d_head;
        const float *V = value + kv * n * d_head;
        for (size_t i = 0; i < n; i++) {
            const float *q = query + (h * n + i) * d_head;
            float *o = out + (h * n + i) * d_head;
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                w[j] = 0;
                for (size_t c = 0; c < d_head; c++)
                    w[j] += q[c] * K[j * d_head + c];
                w[j] /= sqrtf((float)d_head);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n; j++)
                total += w[j] = expf(w[j] - top);
            for (size_t c = 0; c < d_head; c++) {
                o[c] = 0;
                for (size_t j = 0; j < n; j++)
                    o[c] += w[j] * V[j * d_head + c];
                o[c] /= total;
            }
        }
    }
    free(w);
}
