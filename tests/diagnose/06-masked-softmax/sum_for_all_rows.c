#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    float max, sum = 0;
    for (size_t i = 0; i < rows; i++) {
        max = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j])
                max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = may_attend[i * cols + j] ? expf(scores[i * cols + j] - max) : 0.0f;
            sum += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++)
            if (sum > 0)
                weights[i * cols + j] /= sum;
    }
}
