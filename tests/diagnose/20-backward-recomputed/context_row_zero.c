#include <math.h>
#include <stddef.h>

static double dot(const float *a, const float *b, size_t n)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += (double)a[i] * b[i];
    return s;
}

static void add(float *to, double f, const float *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] += (float)(f * from[i]);
}

static void clear(float *v, size_t n)
{
    while (n > 0)
        v[--n] = 0;
}

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    clear(d_query, n_q * d_k);
    clear(d_key, n_k * d_k);
    clear(d_value, n_k * d_v);
    for (size_t j = 0; j < n_k; j++) {
        for (size_t i = 0; i < n_q; i++) {
            double w = exp(dot(query + i * d_k, key + j * d_k, d_k) / sqrt((double)d_k) - lse[i]);
            double s = dot(context, d_context + i * d_v, d_v);
            double g = w * (dot(d_context + i * d_v, value + j * d_v, d_v) - s) / sqrt((double)d_k);
            add(d_value + j * d_v, w, d_context + i * d_v, d_v);
            add(d_query + i * d_k, g, key + j * d_k, d_k);
            add(d_key + j * d_k, g, query + i * d_k, d_k);
        }
    }
}
