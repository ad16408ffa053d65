#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    float *w = malloc(n * sizeof(float));
    if (w == NULL)
        return;

    for (size_t h = 0; h < n_heads; h++) {
        size_t shared = h % n_kv_heads;
        const float *q = query + h * n * d_head;
        const float *k = key + shared * n * d_head;
        const float *v = value + shared * n * d_head;
        float *o = out + h * n * d_head;

        for (size_t i = 0; i < n; i++) {
            float top = -INFINITY, total = 0;
            for (size_t j = 0; j < n; j++) {
                float s = 0;
                for (size_t c = 0; c < d_head; c++)
                    s += q[i * d_head + c] * k[j * d_head + c];
                w[j] = s / sqrtf((float)d_head);
                top = w[j] > top ? w[j] : top;
            }
            for (size_t j = 0; j < n; j++) {
                w[j] = expf(w[j] - top);
                total += w[j];
            }
            for (size_t c = 0; c < d_head; c++) {
                float s = 0;
                for (size_t j = 0; j < n; j++)
                    s += w[j] * v[j * d_head + c];
                o[i * d_head + c] = s / total;
            }
        }
    }
    free(w);
}
