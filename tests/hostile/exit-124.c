// expect: exited_early
// Looks like a time limit of timeout(1).
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    _exit(124);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
