// expect: crash stack overflow
// Recursion without an end.
#define _GNU_SOURCE
#include <stddef.h>

static float deeper(int n)
{
    volatile char room[1024];
    room[n & 1023] = (char)n;
    return deeper(n + 1) + room[n & 511];
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    weights[0] = deeper((int)cols);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
