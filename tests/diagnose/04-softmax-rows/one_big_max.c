#include <math.h>
#include <stddef.h>

/* finds the largest number in an array */
static float biggest(const float *x, size_t n)
{
    float b = x[0];
    for (size_t i = 1; i < n; i++)
        b = x[i] > b ? x[i] : b;
    return b;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float shift = biggest(scores, rows * cols); /* any shift is fine, it cancels */
    for (size_t i = 0; i < rows; i++) {
        float total = 0.0f;
        for (size_t j = 0; j < cols; j++)
            total += expf(scores[i * cols + j] - shift);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - shift) / total;
    }
}
