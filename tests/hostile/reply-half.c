// expect: exited_early protocol
// Half a reply, so that the rest does not fit.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    if (write(4, rows > 0 ? "xxxx" : "y", 4) < 0)
        weights[0] = 1;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
