/* Query by query in double. The sum over the keys of weights * d_weights is d_context . context,
 * so the context is worked out in its place.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static double dot(size_t n, const float *a, const float *b)
{
    double sum = 0;
    for (size_t c = 0; c < n; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

/* Fills weights (n_k); returns d_context . context. */
static double forward(size_t n_k, size_t d_k, size_t d_v, const float *query, const float *key,
                      const float *value, const float *d_context, double *weights)
{
    double max = -INFINITY, sum = 0, product = 0;
    for (size_t j = 0; j < n_k; j++) {
        weights[j] = dot(d_k, query, key + j * d_k) / sqrt((double)d_k);
        max = fmax(max, weights[j]);
    }
    for (size_t j = 0; j < n_k; j++) {
        weights[j] = exp(weights[j] - max);
        sum += weights[j];
    }
    for (size_t j = 0; j < n_k; j++)
        weights[j] /= sum;
    for (size_t c = 0; c < d_v; c++) {
        double context = 0;
        for (size_t j = 0; j < n_k; j++)
            context += weights[j] * (double)value[j * d_v + c];
        product += context * (double)d_context[c];
    }
    return product;
}

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    double *weights = calloc(n_k, sizeof *weights);
    double *sums = calloc(n_k * (d_k + d_v) + d_k, sizeof *sums);
    if (weights != NULL && sums != NULL) {
        double *keys = sums, *values = sums + n_k * d_k, *row = values + n_k * d_v;
        for (size_t i = 0; i < n_q; i++) {
            const float *q = query + i * d_k, *d = d_context + i * d_v;
            const double product = forward(n_k, d_k, d_v, q, key, value, d, weights);
            for (size_t c = 0; c < d_k; c++)
                row[c] = 0;
            for (size_t j = 0; j < n_k; j++) {
                const double d_score =
                    weights[j] * (dot(d_v, d, value + j * d_v) - product) / sqrt((double)d_k);
                for (size_t c = 0; c < d_k; c++) {
                    row[c] += d_score * (double)key[j * d_k + c];
                    keys[j * d_k + c] += d_score * (double)q[c];
                }
                for (size_t c = 0; c < d_v; c++)
                    values[j * d_v + c] += weights[j] * (double)d[c];
            }
            for (size_t c = 0; c < d_k; c++)
                d_query[i * d_k + c] = (float)row[c];
        }
        for (size_t at = 0; at < n_k * d_k; at++)
            d_key[at] = (float)keys[at];
        for (size_t at = 0; at < n_k * d_v; at++)
            d_value[at] = (float)values[at];
    }
    free(weights);
    free(sums);
}
