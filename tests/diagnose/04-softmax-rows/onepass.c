#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            if (scores[i * cols + j] > top)
                top = scores[i * cols + j];

        float total = 0.f;
        for (size_t j = 0; j < cols; j++) {
            float e = expf(scores[i * cols + j] - top);
            total += e;
            weights[i * cols + j] = e / total;
        }
    }
}
