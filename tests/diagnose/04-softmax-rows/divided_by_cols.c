#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = scores[i * cols];
        for (size_t j = 1; j < cols; j++) {
            if (scores[i * cols + j] > max) {
                max = scores[i * cols + j];
            }
        }
        float sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = expf(scores[i * cols + j] - max);
            sum += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] /= cols;
        }
    }
}
