#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        float sum = 0;
        for (size_t c = 0; c < cols; c++) {
            float s = scores[r * cols + c];
            if (s > 80) s = 80;
            weights[r * cols + c] = expf(s);
            sum += weights[r * cols + c];
        }
        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] /= sum;
    }
}
