#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = scores[i * cols + j] * may_attend[i * cols + j];
            if (weights[i * cols + j] == 0)
                weights[i * cols + j] = -INFINITY;
            if (weights[i * cols + j] > top)
                top = weights[i * cols + j];
        }
        if (top == -INFINITY) {
            for (size_t j = 0; j < cols; j++)
                weights[i * cols + j] = 0;
            continue;
        }
        for (size_t j = 0; j < cols; j++)
            total += weights[i * cols + j] = expf(weights[i * cols + j] - top);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= total;
    }
}
