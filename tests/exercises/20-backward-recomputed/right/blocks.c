/* Blocks of 8 queries and 8 keys: two small tables of a block's weights and d_scores, then products
 * of small matrices. */
#include <math.h>
#include <stddef.h>
#include <string.h>

enum { BLOCK = 8 };

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

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void backward_recomputed(size_t n_q, size_t n_k, size_t d_k, size_t d_v, const float *query,
                         const float *key, const float *value, const float *context,
                         const float *lse, const float *d_context, float *d_query, float *d_key,
                         float *d_value)
{
    const float scale = 1 / sqrtf((float)d_k);
    float weights[BLOCK][BLOCK], d_scores[BLOCK][BLOCK];
    memset(d_query, 0, n_q * d_k * sizeof *d_query);
    memset(d_key, 0, n_k * d_k * sizeof *d_key);
    memset(d_value, 0, n_k * d_v * sizeof *d_value);
    for (size_t i0 = 0; i0 < n_q; i0 += BLOCK)
        for (size_t j0 = 0; j0 < n_k; j0 += BLOCK) {
            const size_t rows = smaller(BLOCK, n_q - i0), columns = smaller(BLOCK, n_k - j0);
            for (size_t r = 0; r < rows; r++)
                for (size_t s = 0; s < columns; s++) {
                    const size_t i = i0 + r, j = j0 + s;
                    const float *g = d_context + i * d_v;
                    const float score = dot(d_k, query + i * d_k, key + j * d_k);
                    const float d_weight = dot(d_v, g, value + j * d_v);
                    weights[r][s] = expf(score * scale - lse[i]);
                    d_scores[r][s] =
                        weights[r][s] * (d_weight - dot(d_v, g, context + i * d_v)) * scale;
                }
            for (size_t r = 0; r < rows; r++)
                for (size_t s = 0; s < columns; s++) {
                    const size_t i = i0 + r, j = j0 + s;
                    add_scaled(d_v, weights[r][s], d_context + i * d_v, d_value + j * d_v);
                    add_scaled(d_k, d_scores[r][s], query + i * d_k, d_key + j * d_k);
                    add_scaled(d_k, d_scores[r][s], key + j * d_k, d_query + i * d_k);
                }
        }
}
