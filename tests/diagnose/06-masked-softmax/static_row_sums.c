#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static float sums[1000];

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j])
                max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = may_attend[i * cols + j] ? expf(scores[i * cols + j] - max) : 0;
            sums[i] += weights[i * cols + j];
        }
    }
    for (size_t k = 0; k < rows * cols; k++)
        if (sums[k / cols] > 0)
            weights[k] /= sums[k / cols];
}
