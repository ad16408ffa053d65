// expect: wrong_answer not written
// Does nothing.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
