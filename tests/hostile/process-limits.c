// expect: forbidden_syscall
// Lifts its own limits.
#define _GNU_SOURCE
#include <sys/resource.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    setrlimit(RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    (void)rows, (void)cols, (void)scores, (void)weights;
}
