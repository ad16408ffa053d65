#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t k = 0; k < rows * cols; k++)
        weights[k] = scores[k] * may_attend[k];

    for (float *row = weights; row < weights + rows * cols; row += cols) {
        float top = row[0], total = 0;
        for (size_t j = 1; j < cols; j++)
            if (row[j] > top)
                top = row[j];
        for (size_t j = 0; j < cols; j++)
            total += row[j] = expf(row[j] - top);
        for (size_t j = 0; j < cols; j++)
            row[j] = row[j] / total;
    }
}
