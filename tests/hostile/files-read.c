// expect: forbidden_syscall
// Reads a file.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    open("/etc/passwd", O_RDONLY);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
