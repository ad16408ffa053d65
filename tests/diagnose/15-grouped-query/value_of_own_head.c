#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void head(size_t n, size_t d, const float *q, const float *k, const float *v, float *o, float *s)
{
    for (size_t i = 0; i < n; i++) {
        float m = -INFINITY, z = 0;
        for (size_t j = 0; j < n; j++) {
            s[j] = 0;
            for (size_t c = 0; c < d; c++)
                s[j] += q[i * d + c] * k[j * d + c];
            s[j] /= sqrtf(d);
            m = fmaxf(m, s[j]);
        }
        for (size_t j = 0; j < n; j++)
            z += s[j] = expf(s[j] - m);
        for (size_t c = 0; c < d; c++) {
            o[i * d + c] = 0;
            for (size_t j = 0; j < n; j++)
                o[i * d + c] += s[j] / z * v[j * d + c];
        }
    }
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    const size_t page = n * d_head, group = n_heads / n_kv_heads;
    float *s = malloc(n * sizeof *s);
    if (s == NULL)
        return;
    for (size_t kv = 0; kv < n_kv_heads; kv++)
        for (size_t g = 0; g < group; g++) {
            size_t h = kv * group + g;
            head(n, d_head, query + h * page, key + kv * page, value + g * page, out + h * page, s);
        }
    free(s);
}
