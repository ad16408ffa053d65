/* The keys outside: d_key and d_value of one key are finished before the next. */
#include <math.h>
#include <stddef.h>
#include <string.h>

static float dot(size_t n, const float *a, const float *b)
{
    float sum = 0;
    for (size_t c = 0; c < n; c++)
        sum += a[c] * b[c];
    return sum;
}

/* y += factor * x */
static void add_scaled(size_t n, float factor, const float *x, float *y)
{
    for (size_t c = 0; c < n; c++)
        y[c] += factor * x[c];
}

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    const float root = sqrtf((float)d_k);
    memset(d_query, 0, n_q * d_k * sizeof *d_query);
    memset(d_key, 0, n_k * d_k * sizeof *d_key);
    memset(d_value, 0, n_k * d_v * sizeof *d_value);
    for (size_t j = n_k; j-- > 0;)
        for (size_t i = 0; i < n_q; i++) {
            const float *q = query + i * d_k, *k = key + j * d_k, *g = d_context + i * d_v;
            const float weight = expf(dot(d_k, q, k) / root - lse[i]);
            float d_weight = 0; /* less the row's sum: the values are seen from the context */
            for (size_t c = 0; c < d_v; c++)
                d_weight += g[c] * (value[j * d_v + c] - context[i * d_v + c]);
            const float d_score = weight * d_weight / root;
            add_scaled(d_v, weight, g, d_value + j * d_v);
            add_scaled(d_k, d_score, q, d_key + j * d_k);
            add_scaled(d_k, d_score, k, d_query + i * d_k);
        }
}
