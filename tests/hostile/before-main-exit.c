// expect: exited_early
// A constructor that leaves with success.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

__attribute__((constructor)) static void early(void)
{
    _exit(0);
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
}
