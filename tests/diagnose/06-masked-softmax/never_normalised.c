#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j])
                max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j])
                sum += expf(scores[i * cols + j] - max);
        for (size_t j = 0; j < cols; j++) {
            bool ok = may_attend[i * cols + j] && sum > 0;
            weights[i * cols + j] = ok ? expf(scores[i * cols + j] - max) : 0;
        }
    }
}
