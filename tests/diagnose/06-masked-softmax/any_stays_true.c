#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    bool any = false;
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            if (!may_attend[i * cols + j])
                continue;
            any = true;
            max = fmaxf(max, scores[i * cols + j]);
        }
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = may_attend[i * cols + j] ? expf(scores[i * cols + j] - max) : 0.0f;
            sum += weights[i * cols + j];
        }
        for (size_t j = 0; any && j < cols; j++)
            weights[i * cols + j] /= sum;
    }
}
