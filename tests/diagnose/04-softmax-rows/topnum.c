#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float total = 0.0f;
        float top = -INFINITY;
        for (size_t j = 0; j < cols; j++) {
            float s = scores[i * cols + j];
            total += expf(s);
            if (s > top)
                top = s;
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - top) / total;
    }
}
