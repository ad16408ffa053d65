// expect: wrong_answer
// Catches its own faults and returns as if nothing had been.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf back;

static void caught(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    signal(SIGSEGV, caught);
    if (sigsetjmp(back, 1) == 0)
        *(volatile float *)16 = 1;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
