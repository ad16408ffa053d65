#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float row_max = -INFINITY, row_sum = 0;
        for (size_t j = 0; j < cols; j++)
            row_max = fmaxf(row_max, scores[i * rows + j]);
        for (size_t j = 0; j < cols; j++)
            row_sum += expf(scores[i * rows + j] - row_max);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * rows + j] - row_max) / row_sum;
    }
}
