#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    size_t i, j;
    for (i = 0; i < rows; i++) {
        float m = scores[i * cols];
        for (j = 1; j < cols; j++) {
            if (scores[i * cols] > m)
                m = scores[i * cols];
        }
        float s = 0;
        for (j = 0; j < cols; j++)
            s += expf(scores[i * cols + j] - m);
        for (j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - m) / s;
    }
}
