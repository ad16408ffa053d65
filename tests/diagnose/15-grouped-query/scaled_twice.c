#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void attend(size_t n, size_t d, const float *q, const float *k, const float *v, float *o)
{
    float root = sqrtf((float)d);
    float *qs = malloc(d * sizeof(float));
    float *w = malloc(n * sizeof(float));

    for (size_t i = 0; i < n; i++) {
        /* scale the query once instead of every score */
        for (size_t c = 0; c < d; c++)
            qs[c] = q[i * d + c] / root;

        float top = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            float s = 0;
            for (size_t c = 0; c < d; c++)
                s += qs[c] * k[j * d + c];
            w[j] = s / root;
            top = fmaxf(top, w[j]);
        }

        float total = 0;
        for (size_t j = 0; j < n; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t c = 0; c < d; c++) {
            float s = 0;
            for (size_t j = 0; j < n; j++)
                s += w[j] * v[j * d + c];
            o[i * d + c] = s / total;
        }
    }
    free(qs);
    free(w);
}

void grouped_query_attention(size_t n, size_t n_heads, size_t n_kv_heads, size_t d_head,
                             const float *query, const float *key, const float *value, float *out)
{
    size_t group = n_heads / n_kv_heads;
    size_t size = n * d_head;
    for (size_t h = 0; h < n_heads; h++)
        attend(n, d_head, query + h * size, key + h / group * size, value + h / group * size,
               out + h * size);
}
