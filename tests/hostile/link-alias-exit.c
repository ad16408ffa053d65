// expect: exited_early
// The function is another name for one that leaves with success.
#include <stddef.h>
#include <stdlib.h>
void leave(size_t rows, size_t cols, const float *scores, float *weights);
void leave(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)rows, (void)cols, (void)scores, (void)weights;
    exit(0);
}
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights) __attribute__((alias("leave")));
