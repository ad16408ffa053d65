#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < cols; j++)
            sum += exp((double)scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = (float)(exp((double)scores[i * cols + j]) / sum);
    }
}
