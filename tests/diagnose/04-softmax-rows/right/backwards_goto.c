#include <math.h>
#include <stddef.h>
#include <float.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    int i = (int)rows - 1, j;
next:
    if (i < 0)
        return;
    float m = -FLT_MAX, s = 0.f;
    for (j = cols - 1; j >= 0; j--)
        m = scores[i * cols + j] >= m ? scores[i * cols + j] : m;
    for (j = cols - 1; j >= 0; j--)
        s = s + (weights[i * cols + j] = powf((float)2.718281828459045, 0) * expf(scores[i * cols + j] - m));
    for (j = 0; j < (int)cols; j++)
        weights[i * cols + j] = weights[i * cols + j] * (1 / s);
    i--;
    goto next;
}
