#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    size_t i, j, total;
    for (i = 0; i < rows; i++) {
        float max = -INFINITY;
        total = 0;
        for (j = 0; j < cols; j++)
            if (may_attend[i * cols + j] && scores[i * cols + j] > max)
                max = scores[i * cols + j];
        for (j = 0; j < cols; j++)
            if (may_attend[i * cols + j])
                total += expf(scores[i * cols + j] - max);
        for (j = 0; j < cols; j++)
            weights[i * cols + j] =
                may_attend[i * cols + j] ? expf(scores[i * cols + j] - max) / total : 0;
    }
}
