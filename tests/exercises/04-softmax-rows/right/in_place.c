/* Copies first and works in place; sums from the end, multiplies by the inverse. */
#include <math.h>
#include <stddef.h>
#include <string.h>

static float largest(size_t n, const float *x)
{
    float best = x[n - 1];
    while (n-- > 0) {
        if (x[n] > best)
            best = x[n];
    }
    return best;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    memcpy(weights, scores, rows * cols * sizeof *weights);
    for (size_t i = 0; i < rows; i++) {
        float *row = weights + i * cols, top = largest(cols, row), sum = 0.0f;
        for (size_t j = cols; j > 0; j--)
            sum += row[j - 1] = expf(row[j - 1] - top);
        const float share = 1.0f / sum;
        for (size_t j = 0; j < cols; j++)
            row[j] *= share;
    }
}
