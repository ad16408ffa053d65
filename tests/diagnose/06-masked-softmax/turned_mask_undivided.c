#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i + j * rows])
                max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i + j * rows])
                weights[i * cols + j] = expf(scores[i * cols + j] - max);
            else
                weights[i * cols + j] = 0;
    }
}
