#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        float *w = weights + i * cols;
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++) {
            w[j] = s[j] * (float)may_attend[i * cols + j];
            if (w[j] != 0 && w[j] > top)
                top = w[j];
        }
        for (size_t j = 0; j < cols; j++) {
            w[j] = w[j] != 0 ? expf(w[j] - top) : 0;
            sum += w[j];
        }
        for (size_t j = 0; j < cols; j++)
            w[j] = sum > 0 ? w[j] / sum : 0;
    }
}
