// expect: forbidden_syscall
// Leaves a file behind.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    open("/tmp/left-behind", O_CREAT | O_WRONLY, 0600);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
