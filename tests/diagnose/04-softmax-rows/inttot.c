#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (int i = 0; i < (int)rows; i++) {
        float max = -INFINITY;
        int total = 0;
        for (int j = 0; j < (int)cols; j++)
            max = fmaxf(max, scores[i * cols + j]);
        for (int j = 0; j < (int)cols; j++)
            total += expf(scores[i * cols + j] - max);
        for (int j = 0; j < (int)cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - max) / total;
    }
}
