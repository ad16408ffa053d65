// expect: forbidden_syscall
// Sets a timer.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    alarm(1);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
