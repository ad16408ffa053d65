// expect: memory_limit
// Takes all the memory there is, and uses it.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (;;) {
        char *block = malloc(1 << 20);
        memset(block, 1, 1 << 20);
    }
    (void)rows, (void)cols, (void)scores, (void)weights;
}
