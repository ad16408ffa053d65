// expect: forbidden_syscall
// Forks.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    fork();
    (void)rows, (void)cols, (void)scores, (void)weights;
}
