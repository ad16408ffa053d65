// expect: crash stack overflow|crash|out_of_bounds
// An array of 64 MiB on the stack.
#define _GNU_SOURCE
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    volatile char room[(size_t)rows * cols * (64u << 20)];
    for (size_t i = sizeof room; i > 0; i -= 4096)
        room[i - 1] = 1;
    weights[0] = room[0];
    (void)rows, (void)cols, (void)scores, (void)weights;
}
