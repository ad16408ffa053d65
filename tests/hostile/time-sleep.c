// expect: time_limit
// Sleeps, which costs no processor time.
#define _GNU_SOURCE
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (;;)
        sleep(1000);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
