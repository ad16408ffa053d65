#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float m = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            m = fmaxf(m, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            sum += expf(scores[i * cols + j] - m);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - m) / (sum + 1e-3f);
    }
}
