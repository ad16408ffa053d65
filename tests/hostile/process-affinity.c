// expect: forbidden_syscall
// Moves itself to another processor.
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    sched_setaffinity(0, sizeof(cpu_set_t), &(cpu_set_t){0});
    (void)rows, (void)cols, (void)scores, (void)weights;
}
