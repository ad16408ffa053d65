#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = FLT_MIN;
        for (size_t j = 0; j < cols; j++) {
            if (may_attend[i * cols + j] && scores[i * cols + j] > max)
                max = scores[i * cols + j];
        }
        float total = 0;
        for (size_t j = 0; j < cols; j++) {
            if (may_attend[i * cols + j]) {
                weights[i * cols + j] = expf(scores[i * cols + j] - max);
                total += weights[i * cols + j];
            } else {
                weights[i * cols + j] = 0;
            }
        }
        if (total == 0)
            continue;
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] /= total;
        }
    }
}
