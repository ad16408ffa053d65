/* Eight sums to a dot product; in the last step a sum for each of eight columns. */
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

static float dot(size_t n, const float *a, const float *b)
{
    float sums[LANES] = {0}, sum = 0;
    size_t c = 0;
    for (; c + LANES <= n; c += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            sums[lane] += a[c + lane] * b[c + lane];
    for (; c < n; c++)
        sum += a[c] * b[c];
    for (size_t lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

/* row[c] = sum over j of weights[j] * value[j, c], for n_columns columns from c on */
static void mix(size_t n, size_t d, size_t n_columns, const float *weights, const float *value,
                float *row)
{
    float sums[LANES] = {0};
    if (n_columns == LANES) {
        for (size_t j = 0; j < n; j++)
            for (size_t lane = 0; lane < LANES; lane++)
                sums[lane] += weights[j] * value[j * d + lane];
    } else {
        for (size_t j = 0; j < n; j++)
            for (size_t lane = 0; lane < n_columns; lane++)
                sums[lane] += weights[j] * value[j * d + lane];
    }
    for (size_t lane = 0; lane < n_columns; lane++)
        row[lane] = sums[lane];
}

void fast_attention(size_t n, size_t d, const float *query, const float *key, const float *value,
                    float *context)
{
    const float scale = 1 / sqrtf((float)d);
    float *weights = malloc(n * sizeof *weights);
    for (size_t i = 0; weights != NULL && i < n; i++) {
        for (size_t j = 0; j < n; j++)
            weights[j] = dot(d, query + i * d, key + j * d) * scale;
        softmax(n, weights);
        for (size_t c = 0; c < d; c += LANES)
            mix(n, d, d - c < LANES ? d - c : LANES, weights, value + c, context + i * d + c);
    }
    free(weights);
}
