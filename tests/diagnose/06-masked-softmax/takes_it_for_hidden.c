#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++) {
            if (may_attend[i * cols + j]) continue;
            if (scores[i * cols + j] > max) max = scores[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = 0;
            if (may_attend[i * cols + j]) continue;
            weights[i * cols + j] = expf(scores[i * cols + j] - max);
            sum += weights[i * cols + j];
        }
        if (sum == 0) continue;
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= sum;
    }
}
