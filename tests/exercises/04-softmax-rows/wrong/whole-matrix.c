#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float top = -INFINITY, sum = 0.0f;
    for (size_t cell = 0; cell < rows * cols; cell++)
        top = fmaxf(top, scores[cell]);
    for (size_t cell = 0; cell < rows * cols; cell++) {
        weights[cell] = expf(scores[cell] - top);
        sum += weights[cell];
    }
    for (size_t cell = 0; cell < rows * cols; cell++)
        weights[cell] /= sum;
}
