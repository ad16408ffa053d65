// expect: forbidden_syscall
// A link where results are expected.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    if (symlink("/etc/passwd", "results.json") != 0)
        weights[0] = 0;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
