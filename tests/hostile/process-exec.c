// expect: forbidden_syscall
// Becomes a shell.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    execl("/bin/sh", "sh", "-c", "true", (char *)0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
