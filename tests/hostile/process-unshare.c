// expect: forbidden_syscall
// Makes itself root of a namespace.
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    unshare(CLONE_NEWUSER);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
