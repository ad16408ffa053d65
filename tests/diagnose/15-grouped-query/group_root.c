#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    float scale = 1.0f / sqrtf((float)group);
    float *row = malloc(n * sizeof(float));
    if (row == NULL) return;
    for (size_t h = 0; h < n_heads; h++) {
        const float *k = key + (h / group) * n * d_head;
        const float *v = value + (h / group) * n * d_head;
        for (size_t i = 0; i < n; i++) {
            const float *q = query + (h * n + i) * d_head;
            float *o = out + (h * n + i) * d_head;
            float max = -INFINITY;
            for (size_t j = 0; j < n; j++) {
                float dot = 0;
                for (size_t d = 0; d < d_head; d++) dot += q[d] * k[j * d_head + d];
                row[j] = dot * scale;
                max = row[j] > max ? row[j] : max;
            }
            float total = 0;
            for (size_t j = 0; j < n; j++) { row[j] = expf(row[j] - max); total += row[j]; }
            for (size_t d = 0; d < d_head; d++) {
                o[d] = 0;
                for (size_t j = 0; j < n; j++) o[d] += row[j] * v[j * d_head + d];
                o[d] /= total;
            }
        }
    }
    free(row);
}
