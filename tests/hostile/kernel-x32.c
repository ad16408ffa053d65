// expect: forbidden_syscall
// The x32 numbers, past a list of forbidden ones.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    syscall(0x40000000 + SYS_getpid);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
