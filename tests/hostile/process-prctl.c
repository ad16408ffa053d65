// expect: forbidden_syscall
// Changes what others may see of it.
#define _GNU_SOURCE
#include <sys/prctl.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    prctl(PR_SET_DUMPABLE, 1);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
