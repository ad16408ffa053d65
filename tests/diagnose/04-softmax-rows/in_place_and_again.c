#include <math.h>
#include <stddef.h>
#include <string.h>

static void softmax1(float *x, size_t n)
{
    float m = x[0], s = 0;
    for (size_t k = 1; k < n; k++)
        m = fmaxf(m, x[k]);
    for (size_t k = 0; k < n; k++)
        s += x[k] = expf(x[k] - m);
    for (size_t k = 0; k < n; k++)
        x[k] /= s;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    memcpy(weights, scores, rows * cols * sizeof(float));
    for (size_t i = 0; i < rows; i++)
        softmax1(weights + i * cols, cols);
    for (size_t i = 0; i < rows; i++) // every row must sum to 1
        softmax1(weights + i * cols, cols);
}
