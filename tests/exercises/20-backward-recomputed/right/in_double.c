/* Sums in double; a row of weights and one of d_scores are kept, for one query at a time. */
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

/* sums (n, d) += column (n) times row (d) */
static void add_product(size_t n, size_t d, const double *column, const float *row, double *sums)
{
    for (size_t j = 0; j < n; j++)
        for (size_t c = 0; c < d; c++)
            sums[j * d + c] += column[j] * (double)row[c];
}

static void store(size_t n, const double *from, float *to)
{
    for (size_t at = 0; at < n; at++)
        to[at] = (float)from[at];
}

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    double *weights = malloc(2 * n_k * sizeof *weights), *d_scores = weights + n_k;
    double *keys = calloc(n_k * (d_k + d_v), sizeof *keys), *values = keys + n_k * d_k;
    for (size_t i = 0; weights != NULL && keys != NULL && i < n_q; i++) {
        const float *q = query + i * d_k, *g = d_context + i * d_v;
        const double sum = dot(d_v, g, context + i * d_v);
        for (size_t j = 0; j < n_k; j++) {
            weights[j] = exp(dot(d_k, q, key + j * d_k) / sqrt((double)d_k) - (double)lse[i]);
            d_scores[j] = weights[j] * (dot(d_v, g, value + j * d_v) - sum) / sqrt((double)d_k);
        }
        add_product(n_k, d_v, weights, g, values);
        add_product(n_k, d_k, d_scores, q, keys);
        for (size_t c = 0; c < d_k; c++) {
            double row = 0;
            for (size_t j = 0; j < n_k; j++)
                row += d_scores[j] * (double)key[j * d_k + c];
            d_query[i * d_k + c] = (float)row;
        }
    }
    if (weights != NULL && keys != NULL) {
        store(n_k * d_k, keys, d_key);
        store(n_k * d_v, values, d_value);
    }
    free(weights);
    free(keys);
}
