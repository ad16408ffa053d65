// expect: forbidden_syscall
// Cuts off the memory that it shares with the keeper.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    if (ftruncate(6, 0) != 0)
        weights[0] = 0;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
