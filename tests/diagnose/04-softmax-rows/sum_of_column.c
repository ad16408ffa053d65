#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float m = scores[i * cols];
        for (size_t j = 1; j < cols; j++)
            m = fmaxf(m, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - m);
    }
    for (size_t j = 0; j < cols; j++) {
        float s = 0;
        for (size_t i = 0; i < rows; i++)
            s += weights[i * cols + j];
        for (size_t i = 0; i < rows; i++)
            weights[i * cols + j] /= s;
    }
}
