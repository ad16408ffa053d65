// expect: out_of_bounds|non_finite|wrong_answer
// Reads on behind the input.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    weights[0] = scores[rows * cols];
    (void)rows, (void)cols, (void)scores, (void)weights;
}
