/* The same three matrices. The keys are turned on their side once, and the innermost loops run over
 * neighbours, none of which waits for another. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* row[c] = sum over k of factors[k] * matrix[k, c]; matrix (n_rows, n_columns) */
static void row_times_matrix(size_t n_rows, size_t n_columns, const float *factors,
                             const float *matrix, float *row)
{
    for (size_t c = 0; c < n_columns; c++)
        row[c] = 0;
    for (size_t k = 0; k < n_rows; k++)
        for (size_t c = 0; c < n_columns; c++)
            row[c] += factors[k] * matrix[k * n_columns + c];
}

/* x[0..n): exp(x - max), divided by their sum. */
static void softmax(size_t n, float *x)
{
    float max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        max = x[j] > max ? x[j] : max;
    for (size_t j = 0; j < n; j++)
        sum += x[j] = expf(x[j] - max);
    for (size_t j = 0; j < n; j++)
        x[j] /= sum;
}

/* turned[c, j] = scale * rows[j, c] */
static void turn(size_t n, size_t d, float scale, const float *rows, float *turned)
{
    for (size_t j = 0; j < n; j++)
        for (size_t c = 0; c < d; c++)
            turned[c * n + j] = scale * rows[j * d + c];
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *weights = malloc(n * n * sizeof *weights), *turned = malloc(n * d * sizeof *turned);
    if (weights != NULL && turned != NULL) {
        turn(n, d, 1 / sqrtf((float)d), key, turned);
        for (size_t i = 0; i < n; i++)
            row_times_matrix(d, n, query + i * d, turned, weights + i * n);
        for (size_t i = 0; i < n; i++)
            softmax(n, weights + i * n);
        for (size_t i = 0; i < n; i++)
            row_times_matrix(n, d, weights + i * n, value, context + i * d);
    }
    free(weights);
    free(turned);
}
