#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void attend(size_t n, size_t d, const float *q, const float *k, const float *v, float *o)
{
    float *p = malloc(n * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < n; j++) {
            p[j] = 0;
            for (size_t c = 0; c < d; c++)
                p[j] += q[i * d + c] * k[j * d + c];
            p[j] *= 1.0f / sqrtf((float)d);
            if (top < p[j])
                top = p[j];
        }
        memset(o + i * d, 0, d * sizeof(float));
        for (size_t j = 0; j < n; j++) {
            p[j] = expf(p[j] - top);
            total += p[j];
        }
        for (size_t j = 0; j < n; j++)
            for (size_t c = 0; c < d; c++)
                o[i * d + c] += p[j] / total * v[j * d + c];
    }
    free(p);
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t head = n * d_head, group = n_heads / n_kv_heads;
    for (size_t g = 0; g < n_kv_heads; g++) {
        float *first = out + g * group * head;
        attend(n, d_head, query + g * group * head, key + g * head, value + g * head, first);
        for (size_t member = 1; member < group; member++)
            memcpy(first + member * head, first, head * sizeof(float));
    }
}
