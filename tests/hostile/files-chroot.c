// expect: forbidden_syscall
// Another root.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    if (chroot("/") != 0)
        weights[0] = 0;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
