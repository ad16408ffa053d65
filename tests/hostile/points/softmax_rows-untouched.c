// expect: wrong_answer 0 not written
// Does something, but nothing to the output.
#include <stddef.h>
static volatile float seen;

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    (void)weights;
    seen = scores[rows * cols - 1];
}
