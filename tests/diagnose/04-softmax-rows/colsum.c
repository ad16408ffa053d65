#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    /* the biggest score of each row, so that exp does not overflow */
    for (size_t i = 0; i < rows; i++) {
        float top = scores[i * cols];
        for (size_t j = 1; j < cols; j++)
            if (scores[i * cols + j] > top)
                top = scores[i * cols + j];
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - top);
    }
    /* now make it add up to one */
    for (size_t j = 0; j < cols; j++) {
        float total = 0;
        for (size_t i = 0; i < rows; i++)
            total += weights[i * cols + j];
        for (size_t i = 0; i < rows; i++)
            weights[i * cols + j] /= total;
    }
}
