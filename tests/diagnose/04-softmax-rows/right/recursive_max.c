#include <math.h>
#include <stddef.h>

static float top(const float *x, size_t n)
{
    if (n == 1)
        return *x;
    float left = top(x, n / 2), right = top(x + n / 2, n - n / 2);
    return left > right ? left : right;
}

static double total(const float *x, size_t n, float shift)
{
    double s = 0;
    while (n > 0)
        s += exp(x[--n] - shift);
    return s;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (const float *end = scores + rows * cols; scores != end; scores += cols) {
        float m = top(scores, cols);
        double s = total(scores, cols, m);
        for (size_t j = 0; j < cols; j++)
            *weights++ = (float)(exp(scores[j] - m) / s);
    }
}
