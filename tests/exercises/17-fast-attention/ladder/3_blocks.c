/* Blocks: 64 queries are worked off together, and 64 keys, or 64 columns of the values, at a time.
 * A block lies in the nearest memory while all 64 queries use it, and the 64 sums that grow side by
 * side stay in registers. Only the scores of 64 queries exist at once. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { BLOCK = 64 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* packed[k, lane] = matrix[k * row_step + (first + lane) * column_step] for n_lanes lanes, the rest
 * of them 0: one block of columns, side by side. */
static void pack(size_t n_rows, size_t n_lanes, size_t row_step, size_t column_step,
                 const float *first, float *packed)
{
    for (size_t k = 0; k < n_rows; k++)
        for (size_t lane = 0; lane < BLOCK; lane++)
            packed[k * BLOCK + lane] =
                lane < n_lanes ? first[k * row_step + lane * column_step] : 0;
}

/* ret[lane] = sum over k of factors[k] * packed[k, lane] */
static void row_times_block(size_t n_rows, const float *factors, const float *packed, float *ret)
{
    float sums[BLOCK] = {0};
    for (size_t k = 0; k < n_rows; k++)
        for (size_t lane = 0; lane < BLOCK; lane++)
            sums[lane] += factors[k] * packed[k * BLOCK + lane];
    for (size_t lane = 0; lane < BLOCK; lane++)
        ret[lane] = sums[lane];
}

/* x[0..n): exp(scale * (x - max)), divided by their sum. */
static void softmax(size_t n, float scale, float *x)
{
    float max = -INFINITY, sum = 0;
    for (size_t j = 0; j < n; j++)
        max = x[j] > max ? x[j] : max;
    for (size_t j = 0; j < n; j++)
        sum += x[j] = expf(scale * (x[j] - max));
    for (size_t j = 0; j < n; j++)
        x[j] /= sum;
}

/* out[r, :] = factors[r, :] times the matrix, for n_rows rows: a block of its columns after the
 * other. Element [k, c] of the matrix is matrix[k * row_step + c * column_step]. */
static void rows_times_matrix(size_t n_rows, size_t n_inner, size_t n_columns, const float *factors,
                              size_t row_step, size_t column_step, const float *matrix,
                              float *packed, float *out)
{
    float sums[BLOCK];
    for (size_t c = 0; c < n_columns; c += BLOCK) {
        const size_t n_lanes = smaller(BLOCK, n_columns - c);
        pack(n_inner, n_lanes, row_step, column_step, matrix + c * column_step, packed);
        for (size_t r = 0; r < n_rows; r++) {
            row_times_block(n_inner, factors + r * n_inner, packed, sums);
            for (size_t lane = 0; lane < n_lanes; lane++)
                out[r * n_columns + c + lane] = sums[lane];
        }
    }
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    float *weights = malloc(BLOCK * n * sizeof *weights);
    float *packed = malloc((n > d ? n : d) * BLOCK * sizeof *packed);
    for (size_t i = 0; weights != NULL && packed != NULL && i < n; i += BLOCK) {
        const size_t n_rows = smaller(BLOCK, n - i);
        rows_times_matrix(n_rows, d, n, query + i * d, 1, d, key, packed, weights);
        for (size_t r = 0; r < n_rows; r++)
            softmax(n, scale, weights + r * n);
        rows_times_matrix(n_rows, n, d, weights, d, 1, value, packed, context + i * d);
    }
    free(weights);
    free(packed);
}
