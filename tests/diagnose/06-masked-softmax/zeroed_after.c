#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY;
        float total = 0;
        for (size_t j = 0; j < cols; j++)
            top = fmaxf(top, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = expf(scores[i * cols + j] - top);
            total += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] /= total;
            if (!may_attend[i * cols + j])
                weights[i * cols + j] = 0;
        }
    }
}
