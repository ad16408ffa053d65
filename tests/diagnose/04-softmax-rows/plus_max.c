#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        double top = scores[i * cols], sum = 0;
        for (size_t j = 1; j < cols; j++)
            top = fmax(top, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            sum += exp(scores[i * cols + j] + top);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = (float)(exp(scores[i * cols + j] + top) / sum);
    }
}
