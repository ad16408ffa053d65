/* One pass over the keys: 64 queries meet 64 keys and their values, and no score outlives its
 * block. A row keeps the largest score so far; when a larger one comes, its sum and its context
 * shrink to what they would be had it been known from the start. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

enum { BLOCK = 64 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* turned[c, lane] = keys[lane, c] for n_lanes keys, the rest of the lanes 0 */
static void turn(size_t n_lanes, size_t d, const float *keys, float *turned)
{
    for (size_t c = 0; c < d; c++)
        for (size_t lane = 0; lane < BLOCK; lane++)
            turned[c * BLOCK + lane] = lane < n_lanes ? keys[lane * d + c] : 0;
}

static void score_block(size_t d, const float *query, const float *turned, float *scores)
{
    float sums[BLOCK] = {0};
    for (size_t c = 0; c < d; c++)
        for (size_t lane = 0; lane < BLOCK; lane++)
            sums[lane] += query[c] * turned[c * BLOCK + lane];
    for (size_t lane = 0; lane < BLOCK; lane++)
        scores[lane] = sums[lane];
}

/* What is known of a query so far. */
struct row {
    float max, sum;
    float *context; /* [d], measured against max */
};

/* row takes in a block of scores and their values. */
static void take_block(size_t n_lanes, size_t d, float scale, float *scores, const float *values,
                       struct row *row)
{
    float max = row->max;
    for (size_t lane = 0; lane < n_lanes; lane++)
        max = scores[lane] > max ? scores[lane] : max;
    const float shrink = expf(scale * (row->max - max));
    row->max = max;
    row->sum *= shrink;
    for (size_t c = 0; c < d; c++)
        row->context[c] *= shrink;
    for (size_t lane = 0; lane < n_lanes; lane++)
        row->sum += scores[lane] = expf(scale * (scores[lane] - max));
    for (size_t lane = 0; lane < n_lanes; lane++)
        for (size_t c = 0; c < d; c++)
            row->context[c] += scores[lane] * values[lane * d + c];
}

static void take_keys(size_t n, size_t d, size_t n_rows, const float *query, const float *key,
                      const float *value, float *turned, struct row *rows)
{
    const float scale = 1 / sqrtf((float)d);
    float scores[BLOCK];
    for (size_t j = 0; j < n; j += BLOCK) {
        const size_t n_lanes = smaller(BLOCK, n - j);
        turn(n_lanes, d, key + j * d, turned);
        for (size_t r = 0; r < n_rows; r++) {
            score_block(d, query + r * d, turned, scores);
            take_block(n_lanes, d, scale, scores, value + j * d, &rows[r]);
        }
    }
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    float *turned = malloc(d * BLOCK * sizeof *turned);
    struct row rows[BLOCK];
    for (size_t i = 0; turned != NULL && i < n; i += BLOCK) {
        const size_t n_rows = smaller(BLOCK, n - i);
        for (size_t r = 0; r < n_rows; r++) {
            rows[r] = (struct row){.max = -INFINITY, .context = context + (i + r) * d};
            for (size_t c = 0; c < d; c++)
                rows[r].context[c] = 0;
        }
        take_keys(n, d, n_rows, query + i * d, key, value, turned, rows);
        for (size_t r = 0; r < n_rows; r++)
            for (size_t c = 0; c < d; c++)
                rows[r].context[c] /= rows[r].sum;
    }
    free(turned);
}
