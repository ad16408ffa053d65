#include <math.h>
#include <stddef.h>
#include <stdlib.h>

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t group = n_heads / n_kv_heads;
    const float scale = 1 / sqrtf((float)d_head);
    float *p = malloc(n * sizeof *p);
    if (!p)
        return;

    for (size_t kv = 0; kv < n_kv_heads; kv++)
    for (size_t g = 0; g < group; g++)
    for (size_t i = 0; i < n; i++)
    {
        const float *q = query + ((kv * group + g) * n + i) * d_head;
        float *o = out + ((kv * group + g) * n + i) * d_head;
        float m = -INFINITY, z = 0;

        for (size_t j = 0; j <= i; j++)
        {
            const float *k = key + (kv * n + j) * d_head;
            p[j] = 0;
            for (size_t d = 0; d < d_head; d++)
                p[j] += q[d] * k[d] * scale;
            m = fmaxf(m, p[j]);
        }
        for (size_t d = 0; d < d_head; d++)
            o[d] = 0;
        for (size_t j = 0; j <= i; j++)
        {
            const float *v = value + (kv * n + j) * d_head;
            p[j] = expf(p[j] - m);
            z += p[j];
            for (size_t d = 0; d < d_head; d++)
                o[d] += p[j] * v[d];
        }
        for (size_t d = 0; d < d_head; d++)
            o[d] /= z;
    }
    free(p);
}
