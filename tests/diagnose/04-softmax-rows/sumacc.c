#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    size_t i, j;
    double top, total = 0.0;

    for (i = 0; i < rows; i++) {
        top = -INFINITY;
        for (j = 0; j < cols; j++)
            top = fmax(top, scores[i * cols + j]);
        for (j = 0; j < cols; j++)
            total += exp(scores[i * cols + j] - top);
        for (j = 0; j < cols; j++)
            weights[i * cols + j] = (float)(exp(scores[i * cols + j] - top) / total);
    }
}
