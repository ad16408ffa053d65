#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++)
    {
        const float *row = &scores[i * cols];
        float max = row[0];
        for (size_t j = 0; j < cols; j++)
        {
            if (row[j] > max);
                max = row[j];
        }
        float sum = 0.f;
        for (size_t j = 0; j < cols; j++)
        {
            weights[i * cols + j] = expf(row[j] - max);
            sum += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++)
        {
            weights[i * cols + j] = weights[i * cols + j] / sum;
        }
    }
}
