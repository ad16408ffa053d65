/* Turns the keys on their side once. Both products are then "add a row times a number", eight
 * columns at a time, and no addition waits for the one before it.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* x[0..n): exp(x - max) divided by their sum. */
static void softmax(size_t n, float *x)
{
    float max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        max = x[j] > max ? x[j] : max;
    for (size_t j = 0; j < n; j++) {
        x[j] = expf(x[j] - max);
        sum += x[j];
    }
    for (size_t j = 0; j < n; j++)
        x[j] /= sum;
}

enum { LANES = 8 };

/* row[c] = sum over k of factors[k] * matrix[k, c]; matrix (n_rows, n_columns) */
static void row_times_matrix(size_t n_rows, size_t n_columns, const float *factors,
                             const float *matrix, float *row)
{
    size_t c = 0;
    for (; c + LANES <= n_columns; c += LANES) {
        float sums[LANES] = {0};
        for (size_t k = 0; k < n_rows; k++)
            for (size_t lane = 0; lane < LANES; lane++)
                sums[lane] += factors[k] * matrix[k * n_columns + c + lane];
        for (size_t lane = 0; lane < LANES; lane++)
            row[c + lane] = sums[lane];
    }
    for (; c < n_columns; c++) {
        row[c] = 0;
        for (size_t k = 0; k < n_rows; k++)
            row[c] += factors[k] * matrix[k * n_columns + c];
    }
}

static float *turned(size_t n, size_t d, float scale, const float *key)
{
    float *keys = malloc(n * d * sizeof *keys);
    for (size_t j = 0; keys != NULL && j < n; j++)
        for (size_t c = 0; c < d; c++)
            keys[c * n + j] = key[j * d + c] * scale;
    return keys;
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *keys = turned(n, d, 1 / sqrtf((float)d), key), *weights = malloc(n * sizeof *weights);
    for (size_t i = 0; keys != NULL && weights != NULL && i < n; i++) {
        row_times_matrix(d, n, query + i * d, keys, weights);
        softmax(n, weights);
        row_times_matrix(n, d, weights, value, context + i * d);
    }
    free(keys);
    free(weights);
}
