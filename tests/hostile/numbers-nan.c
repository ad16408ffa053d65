// expect: non_finite
// NaN everywhere, for a grader that asks whether the difference is too large.
#define _GNU_SOURCE
#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows * cols; i++)
        weights[i] = NAN;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
