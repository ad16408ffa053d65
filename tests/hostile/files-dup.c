// expect: forbidden_syscall
// Moves the descriptors around.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    if (dup2(4, 1) != 0)
        weights[0] = 0;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
