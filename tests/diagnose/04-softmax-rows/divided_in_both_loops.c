#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const size_t base = i * cols;
        float max = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            max = fmaxf(max, scores[base + j]);

        float sum = 0;
        for (size_t j = 0; j < cols; j++)
            sum += expf(scores[base + j] - max);

        for (size_t j = 0; j < cols; j++)
            weights[base + j] = expf(scores[base + j] - max) / sum;

        // normalize
        for (size_t j = 0; j < cols; j++)
            weights[base + j] /= sum;
    }
}
