#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[j] && scores[i * cols + j] > top)
                top = scores[i * cols + j];
        float total = 0;
        for (size_t j = 0; j < cols; j++) {
            float s = may_attend[j] ? scores[i * cols + j] : -1e9f;
            weights[i * cols + j] = expf(s - top);
            total += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= total;
    }
}
