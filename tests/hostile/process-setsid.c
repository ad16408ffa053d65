// expect: forbidden_syscall
// Leaves the session, as a daemon would.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    setsid();
    (void)rows, (void)cols, (void)scores, (void)weights;
}
