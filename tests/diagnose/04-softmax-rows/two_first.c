#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float top = scores[0];
    for (size_t i = 0; i < rows; i++) {
        const float *row = scores + i * cols;
        for (size_t j = 0; j < cols; j++)
            if (row[j] > top)
                top = row[j];
        float total = 0;
        for (size_t j = 1; j < cols; j++)
            total += expf(row[j] - top);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(row[j] - top) / total;
    }
}
