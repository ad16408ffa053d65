// expect: forbidden_syscall
// Deletes a file.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    unlink("/tmp/x");
    (void)rows, (void)cols, (void)scores, (void)weights;
}
