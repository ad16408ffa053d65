#include <math.h>
#include <stddef.h>

static void softmax(const float *x, float *y, size_t n)
{
    float m = x[0], z = 0;
    for (size_t k = 1; k < n; k++)
        if (x[k] > m)
            m = x[k];
    for (size_t k = 0; k < n; k++)
        z += y[k] = expf(x[k] - m);
    for (size_t k = 0; k < n; k++)
        y[k] /= z;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++)
        softmax(scores + r * rows, weights + r * rows, cols);
}
