#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    size_t i, j;
    float top, norm;

    for (i = 0; i < rows; i++) {
        top = scores[i * cols];
        for (j = 1; j < cols; j++)
            if (scores[i * cols + j] > top)
                top = scores[i * cols + j];
        norm = 0.0f;
        for (j = 0; j < cols; j++)
            norm += expf(scores[i * cols + j] - top);
        norm /= cols;
        for (j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - top) / norm;
    }
}
