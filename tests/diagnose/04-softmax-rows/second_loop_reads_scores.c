#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    size_t k = 0;
    for (size_t i = 0; i < rows; i++) {
        float m = -INFINITY, z = 0;
        for (size_t j = 0; j < cols; j++)
            m = fmaxf(m, scores[k + j]);
        for (size_t j = 0; j < cols; j++)
            z += weights[k + j] = expf(scores[k + j] - m);
        for (size_t j = 0; j < cols; j++)
            weights[k + j] = (scores[k + j] - m) / z;
        k += cols;
    }
}
