// expect: wrong_answer
// All alike: rows sum to 1.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows * cols; i++)
        weights[i] = 1.0f / (float)cols;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
