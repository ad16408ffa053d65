// expect: non_finite|wrong_answer not written
// NaN with a payload of its own, and with the sign.
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    uint32_t bits = 0xffc12345;
    for (size_t i = 0; i < rows * cols; i++)
        memcpy(&weights[i], &bits, 4);
    (void)rows, (void)cols, (void)scores, (void)weights;
}
