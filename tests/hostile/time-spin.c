// expect: time_limit
// Never ends.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (volatile int on = 1; on;) {
    }
    (void)rows, (void)cols, (void)scores, (void)weights;
}
