// expect: forbidden_syscall
// A new process by the newest call.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    syscall(SYS_clone3, 0, 0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
