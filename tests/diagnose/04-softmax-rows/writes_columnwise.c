#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = scores[i * cols];
        for (size_t j = 0; j < cols; j++)
            max = fmaxf(max, scores[i * cols + j]);
        float sum = 0;
        for (size_t j = 0; j < cols; j++)
            sum += expf(scores[i * cols + j] - max);
        for (size_t j = 0; j < cols; j++)
            weights[j * rows + i] = expf(scores[i * cols + j] - max) / sum;
    }
}
