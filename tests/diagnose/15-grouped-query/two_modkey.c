#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void softmax_inplace(float *p, size_t n)
{
    float m = p[0], s = 0;
    for (size_t i = 1; i < n; i++)
        if (p[i] > m)
            m = p[i];
    for (size_t i = 0; i < n; i++)
        s += p[i] = expf(p[i] - m);
    for (size_t i = 0; i < n; i++)
        p[i] /= s;
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    float *p = malloc(n * sizeof *p);
    for (size_t h = 0; h < n_heads; h++) {
        size_t kh = h / group;
        size_t vh = h % n_kv_heads;
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                float dot = 0;
                for (size_t c = 0; c < d_head; c++)
                    dot += query[(h * n + i) * d_head + c] * key[(kh * n + j) * d_head + c];
                p[j] = dot;
            }
            softmax_inplace(p, n);
            for (size_t c = 0; c < d_head; c++) {
                float acc = 0;
                for (size_t j = 0; j < n; j++)
                    acc += p[j] * value[(vh * n + j) * d_head + c];
                out[(h * n + i) * d_head + c] = acc;
            }
        }
    }
    free(p);
}
