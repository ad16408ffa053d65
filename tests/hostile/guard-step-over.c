// expect: out_of_bounds
// Writes one number behind the output.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    weights[rows * cols] = 1;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
