// expect: time_limit
// Stops itself, for a grader that takes a stopped child for a finished one.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    raise(SIGSTOP);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
