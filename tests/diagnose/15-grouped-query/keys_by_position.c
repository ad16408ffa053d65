#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t group = n_heads / n_kv_heads;
    const float scale = 1.0f / sqrtf((float)d_head);
    float *scores = malloc(n * n * sizeof *scores);
    if (scores == NULL)
        return;

    for (size_t h = 0; h < n_heads; h++) {
        const size_t shared = h / group;
        const float *q = query + h * n * d_head;
        const float *v = value + shared * n * d_head;
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                const float *k = key + (j * n_kv_heads + shared) * d_head;
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += q[i * d_head + c] * k[c];
                scores[i * n + j] = dot * scale;
            }
        for (size_t i = 0; i < n; i++) {
            float *row = scores + i * n;
            float *o = out + (h * n + i) * d_head;
            float top = row[0], total = 0;
            for (size_t j = 1; j < n; j++)
                if (row[j] > top)
                    top = row[j];
            for (size_t c = 0; c < d_head; c++)
                o[c] = 0;
            for (size_t j = 0; j < n; j++) {
                float e = expf(row[j] - top);
                total += e;
                for (size_t c = 0; c < d_head; c++)
                    o[c] += e * v[j * d_head + c];
            }
            for (size_t c = 0; c < d_head; c++)
                o[c] /= total;
        }
    }
    free(scores);
}
