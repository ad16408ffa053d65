/* Eight queries at a time: each key and value is fetched once for all of them. Their scores lie
 * side by side, so that one number of a key or value meets eight neighbours.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { ROWS = 8 };

/* side[c * ROWS + r] = scale * rows[r, c]; rows past n_rows are zeros */
static void interleave(size_t n_rows, size_t d, float scale, const float *rows, float *side)
{
    for (size_t c = 0; c < d; c++)
        for (size_t r = 0; r < ROWS; r++)
            side[c * ROWS + r] = r < n_rows ? rows[r * d + c] * scale : 0;
}

/* The eight dot products of eight queries and one key. */
static void eight_dots(size_t d, const float *side, const float *key, float *ret)
{
    float sums[ROWS] = {0};
    for (size_t c = 0; c < d; c++)
        for (size_t r = 0; r < ROWS; r++)
            sums[r] += side[c * ROWS + r] * key[c];
    for (size_t r = 0; r < ROWS; r++)
        ret[r] = sums[r];
}

static void eight_softmaxes(size_t n, float *scores)
{
    for (size_t r = 0; r < ROWS; r++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < n; j++)
            max = scores[j * ROWS + r] > max ? scores[j * ROWS + r] : max;
        for (size_t j = 0; j < n; j++)
            sum += scores[j * ROWS + r] = expf(scores[j * ROWS + r] - max);
        for (size_t j = 0; j < n; j++)
            scores[j * ROWS + r] /= sum;
    }
}

/* One column of the context of eight queries. */
static void eight_means(size_t n, size_t d, const float *weights, const float *column, float *ret)
{
    float sums[ROWS] = {0};
    for (size_t j = 0; j < n; j++)
        for (size_t r = 0; r < ROWS; r++)
            sums[r] += weights[j * ROWS + r] * column[j * d];
    for (size_t r = 0; r < ROWS; r++)
        ret[r] = sums[r];
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *queries = malloc(d * ROWS * sizeof *queries);
    float *weights = malloc(n * ROWS * sizeof *weights);
    for (size_t first = 0; queries != NULL && weights != NULL && first < n; first += ROWS) {
        const size_t n_rows = n - first < ROWS ? n - first : ROWS;
        float means[ROWS];
        interleave(n_rows, d, 1 / sqrtf((float)d), query + first * d, queries);
        for (size_t j = 0; j < n; j++)
            eight_dots(d, queries, key + j * d, weights + j * ROWS);
        eight_softmaxes(n, weights);
        for (size_t c = 0; c < d; c++) {
            eight_means(n, d, weights, value + c, means);
            for (size_t r = 0; r < n_rows; r++)
                context[(first + r) * d + c] = means[r];
        }
    }
    free(queries);
    free(weights);
}
