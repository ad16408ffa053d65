#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -1e9f, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            size_t at = i * cols + j;
            weights[at] = scores[at] + (may_attend[at] ? 0.0f : -1e9f);
            if (weights[at] > top)
                top = weights[at];
        }
        for (size_t j = 0; j < cols; j++)
            sum += expf(weights[i * cols + j] - top);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(weights[i * cols + j] - top) / sum;
    }
}
