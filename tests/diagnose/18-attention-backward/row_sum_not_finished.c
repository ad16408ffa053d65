#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static float dot(const float *a, const float *b, size_t n)
{
    float r = 0;
    while (n--)
        r += *a++ * *b++;
    return r;
}

static void add_times(float *to, float factor, const float *from, size_t n)
{
    while (n--)
        *to++ += factor * *from++;
}

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    float root = sqrtf((float)d_k), *w = malloc(n_k * sizeof(float));
    memset(d_query, 0, n_q * d_k * sizeof(float));
    memset(d_key, 0, n_k * d_k * sizeof(float));
    memset(d_value, 0, n_k * d_v * sizeof(float));
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k, *dc = d_context + i * d_v;
        float top = -INFINITY, total = 0, s = 0;
        for (size_t j = 0; j < n_k; j++)
            if ((w[j] = dot(q, key + j * d_k, d_k) / root) > top)
                top = w[j];
        for (size_t j = 0; j < n_k; j++)
            total += w[j] = expf(w[j] - top);
        for (size_t j = 0; j < n_k; j++) {
            float weight = w[j] / total, dw = dot(dc, value + j * d_v, d_v);
            s += weight * dw;
            float d_score = weight * (dw - s) / root;
            add_times(d_query + i * d_k, d_score, key + j * d_k, d_k);
            add_times(d_key + j * d_k, d_score, q, d_k);
            add_times(d_value + j * d_v, weight, dc, d_v);
        }
    }
    free(w);
}
