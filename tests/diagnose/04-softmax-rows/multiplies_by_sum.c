#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < cols; j++) top = fmaxf(top, scores[i * cols + j]);
        float sum = 0;
        for (size_t j = 0; j < cols; j++) sum += (weights[i * cols + j] = expf(scores[i * cols + j] - top));
        for (size_t j = 0; j < cols; j++) weights[i * cols + j] *= sum; /* normalise */
    }
}
