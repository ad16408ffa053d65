#include <math.h>
#include <stddef.h>

#define E 2.7

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY;
        double sum = 0;
        for (size_t j = 0; j < cols; j++)
            max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            sum += pow(E, scores[i * cols + j] - max);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = pow(E, scores[i * cols + j] - max) / sum;
    }
}
