#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        size_t top = 0;
        for (size_t j = 1; j < cols; j++) {
            if (scores[i * cols + j] > scores[i * cols + top])
                top = j;
        }
        float total = 0.0f;
        for (size_t j = 0; j < cols; j++)
            total += expf(scores[i * cols + j] - top);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - top) / total;
    }
}
