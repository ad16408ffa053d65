// expect: forbidden_syscall
// Kills the first process.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    kill(1, SIGKILL);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
