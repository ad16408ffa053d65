#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static double dot(const float *a, const float *b, size_t n)
{
    double s = 0;
    for (size_t t = 0; t < n; t++)
        s += (double)a[t] * b[t];
    return s;
}

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    float *s = malloc(n_q * sizeof *s);
    if (s == NULL)
        return;
    for (size_t i = 0; i < n_q; i++)
        s[i] = (float)dot(context + i * d_v, d_context + i * d_v, d_v);
    memset(d_query, 0, n_q * d_k * sizeof *d_query);

    for (size_t j = 0; j < n_k; j++) {
        float *dk = d_key + j * d_k, *dv = d_value + j * d_v;
        memset(dk, 0, d_k * sizeof *dk);
        memset(dv, 0, d_v * sizeof *dv);
        for (size_t i = 0; i < n_q; i++) {
            double scaled = dot(query + i * d_k, key + j * d_k, d_k) / sqrt((double)d_k);
            double w = exp(scaled) / lse[i];
            double dw = dot(d_context + i * d_v, value + j * d_v, d_v);
            double ds = w * (dw - s[i]) / sqrt((double)d_k);
            for (size_t c = 0; c < d_v; c++)
                dv[c] += (float)(w * d_context[i * d_v + c]);
            for (size_t d = 0; d < d_k; d++) {
                dk[d] += (float)(ds * query[i * d_k + d]);
                d_query[i * d_k + d] += (float)(ds * key[j * d_k + d]);
            }
        }
    }
    free(s);
}
