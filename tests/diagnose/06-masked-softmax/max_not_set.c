#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max, sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j] && scores[i * cols + j] > max)
                max = scores[i * cols + j];
        for (size_t j = 0; j < cols; j++)
            sum += weights[i * cols + j] = may_attend[i * cols + j] ? expf(scores[i * cols + j] - max) : 0;
        for (size_t j = 0; j < cols; j++)
            if (sum > 0)
                weights[i * cols + j] /= sum;
    }
}
