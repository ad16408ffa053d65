#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    const float temperature = 2.0f;
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            sum += expf((scores[i * cols + j] - max) / temperature);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf((scores[i * cols + j] - max) / temperature) / sum;
    }
}
