// expect: crash SIGUSR1
// A signal that a grader might use itself.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    raise(SIGUSR1);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
