// expect: exited_early
// Looks like a kill by the grader.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    _exit(137);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
