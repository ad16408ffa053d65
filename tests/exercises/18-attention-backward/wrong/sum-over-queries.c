#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* Small matrix products, all row-major; c is overwritten. */
static void times(size_t n, size_t m, size_t k, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n * m; i++)
        c[i] = 0;
    for (size_t i = 0; i < n; i++) /* (n, k) @ (k, m) */
        for (size_t l = 0; l < k; l++)
            for (size_t j = 0; j < m; j++)
                c[i * m + j] += a[i * k + l] * b[l * m + j];
}

static void times_transposed(size_t n, size_t m, size_t k, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n; i++) /* (n, k) @ (m, k).T */
        for (size_t j = 0; j < m; j++) {
            c[i * m + j] = 0;
            for (size_t l = 0; l < k; l++)
                c[i * m + j] += a[i * k + l] * b[j * k + l];
        }
}

static void transposed_times(size_t n, size_t m, size_t k, const float *a, const float *b, float *c)
{
    for (size_t i = 0; i < n * m; i++)
        c[i] = 0;
    for (size_t l = 0; l < k; l++) /* (k, n).T @ (k, m) */
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < m; j++)
                c[i * m + j] += a[l * n + i] * b[l * m + j];
}

static void scale(size_t n, float factor, float *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] *= factor;
}

static void softmax(size_t n, float *x)
{
    float max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        max = fmaxf(max, x[j]);
    for (size_t j = 0; j < n; j++)
        sum += x[j] = expf(x[j] - max);
    scale(n, 1 / sum, x);
}

static void softmax_backward(size_t n_q, size_t n_k, const float *y, float *d)
{
    for (size_t j = 0; j < n_k; j++) {
        float sum = 0;
        for (size_t i = 0; i < n_q; i++)
            sum += y[i * n_k + j] * d[i * n_k + j];
        for (size_t i = 0; i < n_q; i++)
            d[i * n_k + j] = y[i * n_k + j] * (d[i * n_k + j] - sum);
    }
}

void attention_backward(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                        const float *key, const float *value, const float *d_context,
                        float *d_query, float *d_key, float *d_value)
{
    const float factor = 1 / sqrtf((float)d_k);
    float *weights = malloc(n_q * n_k * sizeof *weights);
    float *d_scores = malloc(n_q * n_k * sizeof *d_scores);
    if (weights != NULL && d_scores != NULL) {
        times_transposed(n_q, n_k, d_k, query, key, weights);
        scale(n_q * n_k, factor, weights);
        for (size_t i = 0; i < n_q; i++)
            softmax(n_k, weights + i * n_k);

        transposed_times(n_k, d_v, n_q, weights, d_context, d_value);
        times_transposed(n_q, n_k, d_v, d_context, value, d_scores);
        softmax_backward(n_q, n_k, weights, d_scores);
        scale(n_q * n_k, factor, d_scores);
        times(n_q, d_k, n_k, d_scores, key, d_query);
        transposed_times(n_k, d_k, n_q, d_scores, query, d_key);
    }
    free(weights);
    free(d_scores);
}
