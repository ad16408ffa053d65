#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = scores[i * cols];
        for (size_t j = 1; j < cols; j++)
            top = fmaxf(top, scores[i * cols + j]);

        float total = 0.0f;
        for (size_t j = 0; j < cols; j++)
            total += expf(scores[i * cols + j] - top);

        float lse = top + logf(total);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = scores[i * cols + j] - lse;
    }
}
