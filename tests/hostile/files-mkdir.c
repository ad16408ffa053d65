// expect: forbidden_syscall
// Leaves a folder behind.
#define _GNU_SOURCE
#include <sys/stat.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    mkdir("/tmp/left-behind", 0700);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
