// expect: time_limit
// Reads the next request itself.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    char request[4096];
    if (read(3, request, sizeof request) < 0)
        weights[0] = 1;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
