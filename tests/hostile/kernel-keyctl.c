// expect: forbidden_syscall
// The kernel's keys.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    syscall(SYS_keyctl, 0, 0, 0, 0, 0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
