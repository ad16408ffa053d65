#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static void softmax(size_t n, const float *x, float *y)
{
    float top = x[0], sum = 0.0f;
    for (size_t j = 1; j < n; j++)
        top = fmaxf(top, x[j]);
    for (size_t j = 0; j < n; j++)
        sum += y[j] = expf(x[j] - top);
    for (size_t j = 0; j < n; j++)
        y[j] /= sum;
}

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float *weight = weights + i * cols, left = 0.0f;
        softmax(cols, scores + i * cols, weight);
        for (size_t j = 0; j < cols; j++) {
            weight[j] *= may_attend[i * cols + j];
            left += weight[j];
        }
        for (size_t j = 0; j < cols; j++)
            weight[j] = left > 0.0f ? weight[j] / left : 0.0f;
    }
}
