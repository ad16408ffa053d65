#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *x = scores + i * cols;
        float *w = weights + i * cols;
        float top = x[0], sum = 0;
        for (size_t j = 1; j < cols; j++)
            if (x[j] > top)
                top = x[j];
        for (size_t j = 0; j < cols; j++) {
            w[j] = x[j] - top < -5 ? 0 : expf(x[j] - top);
            sum += w[j];
        }
        for (size_t j = 0; j < cols; j++)
            w[j] /= sum;
    }
}
