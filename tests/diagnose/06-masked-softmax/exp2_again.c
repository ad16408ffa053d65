#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        double max = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j])
                max = fmax(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j])
                sum += exp2(scores[i * cols + j] - max);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] =
                may_attend[i * cols + j] ? exp2(scores[i * cols + j] - max) / sum : 0.0;
    }
}
