// expect: wrong_answer
// Zero everywhere.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows * cols; i++)
        weights[i] = 0;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
