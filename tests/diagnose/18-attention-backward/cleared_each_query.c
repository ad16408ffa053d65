#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static float dot(const float *a, const float *b, size_t n)
{
    float s = 0;
    while (n-- > 0)
        s += *a++ * *b++;
    return s;
}

static void add(float *to, float factor, const float *from, size_t n)
{
    for (size_t t = 0; t < n; t++)
        to[t] += factor * from[t];
}

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float *w = malloc(n_k * sizeof *w), *dw = malloc(n_k * sizeof *dw);
    if (w && dw) {
        float scale = 1 / sqrtf((float)d_k);
        for (size_t i = 0; i < n_q; i++) {
            const float *q = query + i * d_k, *g = d_context + i * d_v;
            memset(d_query + i * d_k, 0, d_k * sizeof(float));
            memset(d_key, 0, n_k * d_k * sizeof(float));
            memset(d_value, 0, n_k * d_v * sizeof(float));

            float top = -INFINITY, total = 0, s = 0;
            for (size_t j = 0; j < n_k; j++) {
                w[j] = scale * dot(q, key + j * d_k, d_k);
                top = fmaxf(top, w[j]);
            }
            for (size_t j = 0; j < n_k; j++)
                total += w[j] = expf(w[j] - top);
            for (size_t j = 0; j < n_k; j++) {
                w[j] /= total;
                dw[j] = dot(g, value + j * d_v, d_v);
                s += w[j] * dw[j];
            }
            for (size_t j = 0; j < n_k; j++) {
                float ds = w[j] * (dw[j] - s) * scale;
                add(d_value + j * d_v, w[j], g, d_v);
                add(d_query + i * d_k, ds, key + j * d_k, d_k);
                add(d_key + j * d_k, ds, q, d_k);
            }
        }
    }
    free(w);
    free(dw);
}
