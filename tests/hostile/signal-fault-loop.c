// expect: time_limit
// A handler that returns to the fault, for ever.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

static void caught(int number)
{
    (void)number;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    signal(SIGSEGV, caught);
    *(volatile float *)16 = 1;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
