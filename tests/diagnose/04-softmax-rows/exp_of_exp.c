#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            top = fmaxf(top, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = expf(scores[i * cols + j] - top);
            sum += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(weights[i * cols + j]) / sum;
    }
}
