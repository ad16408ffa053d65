#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float m = scores[i * cols];
        for (size_t j = 1; j < cols; j++)
            if (scores[i * cols + j] > m)
                m = scores[i * cols + j];
        float norm = 0;
        for (size_t j = 0; j < cols; j++) {
            float e = expf(scores[i * cols + j] - m);
            weights[i * cols + j] = e;
            norm += e * e;
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= sqrtf(norm);
    }
}
