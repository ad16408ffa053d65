// expect: non_finite
// Infinity everywhere.
#define _GNU_SOURCE
#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows * cols; i++)
        weights[i] = INFINITY;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
