#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    float scale = 1 / (int)sqrtf((float)d_head);
    float *a = malloc(n * sizeof(float));
    for (size_t h = 0; h < n_heads; h++) {
        size_t kv = h / group;
        for (size_t i = 0; i < n; i++) {
            const float *q = query + (h * n + i) * d_head;
            float peak = -INFINITY;
            for (size_t j = 0; j < n; j++) {
                const float *k = key + (kv * n + j) * d_head;
                float s = 0;
                for (size_t c = 0; c < d_head; c++)
                    s += q[c] * k[c];
                a[j] = s * scale;
                peak = a[j] > peak ? a[j] : peak;
            }
            float den = 0;
            for (size_t j = 0; j < n; j++) {
                a[j] = expf(a[j] - peak);
                den += a[j];
            }
            for (size_t c = 0; c < d_head; c++) {
                float s = 0;
                for (size_t j = 0; j < n; j++)
                    s += a[j] * value[(kv * n + j) * d_head + c];
                out[(h * n + i) * d_head + c] = s / den;
            }
        }
    }
    free(a);
}
