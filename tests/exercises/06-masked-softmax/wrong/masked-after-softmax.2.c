#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float *row = weights + i * cols, top = scores[i * cols], sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            top = fmaxf(top, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            sum += row[j] = expf(scores[i * cols + j] - top);
        for (size_t j = 0; j < cols; j++)
            row[j] /= sum;
    }
    for (size_t at = 0; at < rows * cols; at++) {
        if (!may_attend[at])
            weights[at] = 0.0f;
    }
}
