#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float total = 0.0f;
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            if (scores[i * cols + j] > top)
                top = scores[i * cols + j];
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = expf(scores[i * cols + j] - top);
            total += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= total;
    }
}
