// expect: wrong_answer not written|non_finite
// Writes back what it found, so that it did write.
#define _GNU_SOURCE
#include <string.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows * cols; i++)
        memmove(&weights[i], &weights[rows * cols - 1 - i], 4);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
