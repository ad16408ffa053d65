// expect: exited_early protocol
// A reply of zeros in place of work.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    char reply[56] = {0};
    if (write(4, reply, sizeof reply) < 0)
        weights[0] = 1;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
