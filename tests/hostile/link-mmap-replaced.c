// expect: exited_early
// Replaces mmap, with which the runner finds the arrays.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <stddef.h>

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    (void)at, (void)size, (void)protection, (void)flags, (void)fd, (void)offset;
    return MAP_FAILED;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
