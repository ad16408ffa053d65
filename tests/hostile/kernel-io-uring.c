// expect: forbidden_syscall
// System calls by another way.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    syscall(SYS_io_uring_setup, 8, 0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
