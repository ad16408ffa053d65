#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = scores[i * cols], denominator = 1;
        for (size_t j = 0; j < cols; j++) {
            if (max < scores[i * cols + j])
                max = scores[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = expf(scores[i * cols + j] - max);
            denominator += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] /= denominator;
        }
    }
}
