// expect: crash SIGABRT|crash
// Frees twice.
#define _GNU_SOURCE
#include <stdlib.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    char *volatile block = malloc(100 + rows);
    free(block);
    free(block);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
