#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float *row = weights + i * cols, top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            row[j] = may_attend[i * cols + j] ? scores[i * cols + j] : 0.0f;
            if (row[j] != 0.0f && row[j] > top)
                top = row[j];
        }
        for (size_t j = 0; j < cols; j++) {
            row[j] = row[j] != 0.0f ? expf(row[j] - top) : 0.0f;
            sum += row[j];
        }
        for (size_t j = 0; j < cols && sum > 0.0f; j++)
            row[j] /= sum;
    }
}
