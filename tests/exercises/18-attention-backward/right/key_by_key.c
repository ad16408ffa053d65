/* No matrix of weights: the maximum, the sum and the product of each query are kept, and each
 * weight is worked out again where it is needed, key by key.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct row {
    float max, sum, product; /* product: the sum over the keys of weights * d_weights */
};

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

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    const float scale = 1 / sqrtf((float)d_k);
    struct row *rows = malloc(n_q * sizeof *rows);
    if (rows == NULL)
        return;
    for (size_t i = 0; i < n_q; i++) {
        struct row row = {-INFINITY, 0, 0};
        for (size_t j = 0; j < n_k; j++) {
            const float score = dot(d_k, query + i * d_k, key + j * d_k) * scale;
            const float max = score > row.max ? score : row.max;
            const float shrink = expf(row.max - max), term = expf(score - max);
            row.sum = row.sum * shrink + term;
            row.product =
                row.product * shrink + term * dot(d_v, d_context + i * d_v, value + j * d_v);
            row.max = max;
        }
        row.product /= row.sum;
        rows[i] = row;
    }
    memset(d_query, 0, n_q * d_k * sizeof *d_query);
    memset(d_key, 0, n_k * d_k * sizeof *d_key);
    memset(d_value, 0, n_k * d_v * sizeof *d_value);
    for (size_t j = 0; j < n_k; j++)
        for (size_t i = n_q; i-- > 0;) {
            const float *q = query + i * d_k, *k = key + j * d_k, *d = d_context + i * d_v;
            const float weight = expf(dot(d_k, q, k) * scale - rows[i].max) / rows[i].sum;
            const float d_weight = dot(d_v, d, value + j * d_v);
            const float d_score = weight * (d_weight - rows[i].product) * scale;
            add_scaled(d_v, weight, d, d_value + j * d_v);
            add_scaled(d_k, d_score, q, d_key + j * d_k);
            add_scaled(d_k, d_score, k, d_query + i * d_k);
        }
    free(rows);
}
