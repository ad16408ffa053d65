// expect: crash SIGTERM
// Looks like an end from outside.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    raise(SIGTERM);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
