// expect: time_limit|wrong_answer not written
// Waits for somebody to type.
#define _GNU_SOURCE
#include <stdio.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    int c = getchar();
    (void)c;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
