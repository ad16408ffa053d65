// expect: forbidden_syscall
// Debugging.
#define _GNU_SOURCE
#include <sys/ptrace.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
