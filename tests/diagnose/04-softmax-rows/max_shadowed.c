#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *x = scores + i * cols;
        float max = x[0];
        for (size_t j = 1; j < cols; j++) {
            if (x[j] > max) {
                float max = x[j];
                (void)max;
            }
        }
        float sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            sum += expf(x[j] - max);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(x[j] - max) / sum;
    }
}
