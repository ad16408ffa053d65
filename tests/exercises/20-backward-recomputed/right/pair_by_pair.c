/* Each pair of a query and a key by itself, the queries outside. */
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
    const float scale = 1 / sqrtf((float)d_k);
    memset(d_query, 0, n_q * d_k * sizeof *d_query);
    memset(d_key, 0, n_k * d_k * sizeof *d_key);
    memset(d_value, 0, n_k * d_v * sizeof *d_value);
    for (size_t i = 0; i < n_q; i++) {
        const float *q = query + i * d_k, *g = d_context + i * d_v;
        const float row_sum = dot(d_v, context + i * d_v, g);
        for (size_t j = 0; j < n_k; j++) {
            const float *k = key + j * d_k;
            const float score = dot(d_k, q, k) * scale, weight = expf(score - lse[i]);
            const float d_score = weight * (dot(d_v, value + j * d_v, g) - row_sum) * scale;
            add_scaled(d_v, weight, g, d_value + j * d_v);
            add_scaled(d_k, d_score, q, d_key + j * d_k);
            add_scaled(d_k, d_score, k, d_query + i * d_k);
        }
    }
}
