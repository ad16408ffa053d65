// expect: memory_limit
// Asks for more than there is at once and does not look at the answer.
#define _GNU_SOURCE
#include <stdlib.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float *block = malloc((size_t)4 << 30);
    block[0] = scores[0];
    weights[0] = block[rows];
    (void)rows, (void)cols, (void)scores, (void)weights;
}
