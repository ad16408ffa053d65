#include <math.h>
#include <stddef.h>

#define MAX_COLS 64

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float e[MAX_COLS];
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++) {
            e[j] = expf(scores[i * cols + j] - max);
            sum += e[j];
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = e[j] / sum;
    }
}
