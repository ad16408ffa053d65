// expect: forbidden_syscall
// Mounts.
#define _GNU_SOURCE
#include <sys/mount.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    mount("none", "/", "tmpfs", 0, 0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
