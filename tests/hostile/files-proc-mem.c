// expect: forbidden_syscall
// Its own memory as a file.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    open("/proc/self/mem", O_RDWR);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
