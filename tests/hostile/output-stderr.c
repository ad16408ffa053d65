// expect: output_limit
// The same on the other descriptor, without a buffer.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (;;)
        if (write(2, "and on and on and on\n", 21) < 0)
            break;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
