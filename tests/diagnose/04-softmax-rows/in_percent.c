#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t row = 0; row < rows; row++) {
        float peak = -INFINITY, total = 0;
        for (size_t col = 0; col < cols; col++)
            peak = fmaxf(peak, scores[row * cols + col]);
        for (size_t col = 0; col < cols; col++)
            total += expf(scores[row * cols + col] - peak);
        for (size_t col = 0; col < cols; col++)
            weights[row * cols + col] = 100 * expf(scores[row * cols + col] - peak) / total;
    }
}
