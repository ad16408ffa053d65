#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *row = scores + i * cols;
        size_t n = sizeof(row) / sizeof(row[0]);
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < n; j++)
            max = fmaxf(max, row[j]);
        for (size_t j = 0; j < n; j++)
            sum += expf(row[j] - max);
        for (size_t j = 0; j < n; j++)
            weights[i * cols + j] = expf(row[j] - max) / sum;
    }
}
