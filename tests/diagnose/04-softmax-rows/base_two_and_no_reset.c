#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float sum = 0, max;
    for (size_t i = 0; i < rows; i++) {
        max = scores[i * cols];
        for (size_t j = 0; j < cols; j++)
            if (max < scores[i * cols + j])
                max = scores[i * cols + j];
        for (size_t j = 0; j < cols; j++)
            sum += exp2f(scores[i * cols + j] - max);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = exp2f(scores[i * cols + j] - max) / sum;
    }
}
