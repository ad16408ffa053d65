#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        const float *x = scores + r * cols;
        float top = x[0];
        for (size_t c = 1; c < cols; c++)
            if (x[c] > x[c - 1])
                top = x[c];
        float sum = 0;
        for (size_t c = 0; c < cols; c++) {
            weights[r * cols + c] = expf(x[c] - top);
            sum += weights[r * cols + c];
        }
        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] /= sum;
    }
}
