#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t j = 0; j < cols; j++) {
        float top = -INFINITY, sum = 0.0f;
        for (size_t i = 0; i < rows; i++)
            top = fmaxf(top, scores[i * cols + j]);
        for (size_t i = 0; i < rows; i++)
            sum += powf(2.0f, scores[i * cols + j] - top);
        for (size_t i = 0; i < rows; i++)
            weights[i * cols + j] = powf(2.0f, scores[i * cols + j] - top) / sum;
    }
}
