// expect: time_limit
// Waits for a lock that nobody opens.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    int lock = 0;
    for (;;)
        syscall(SYS_futex, &lock, 0, 0, NULL, NULL, 0);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
