// expect: output_limit
// Prints for ever.
#define _GNU_SOURCE
#include <stdio.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (;;)
        puts("and on and on and on");
    (void)rows, (void)cols, (void)scores, (void)weights;
}
