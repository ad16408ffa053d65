// expect: time_limit
// Ignores every signal and spins.
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (int i = 1; i < 64; i++)
        signal(i, SIG_IGN);
    for (;;) {
    }
    (void)rows, (void)cols, (void)scores, (void)weights;
}
