#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float max = -INFINITY, total = 0;
    for (size_t i = 0; i < rows * cols; i++)
        max = fmaxf(max, scores[i]);
    for (size_t i = 0; i < rows * cols; i++) {
        weights[i] = expf(scores[i] - max);
        total += weights[i];
    }
    for (size_t i = 0; i < rows * cols; i++)
        weights[i] /= total;
}
