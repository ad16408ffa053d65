#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float m = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            m = fmaxf(m, scores[i * cols + j]);
        float sum = 0;
        for (size_t j = 0; j < cols; j++) {
            float e = expf(scores[i * cols + j] - m);
            sum += e;
            weights[i * cols + j] = e / sum;
        }
    }
}
