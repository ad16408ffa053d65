#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        float max = scores[r * cols];
        for (size_t c = 0; c < cols; c++)
            max = (scores[r * cols + c] < max) ? scores[r * cols + c] : max;

        float sum = 0;
        for (size_t c = 0; c < cols; c++)
            sum += expf(scores[r * cols + c] - max);

        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] = expf(scores[r * cols + c] - max) / sum;
    }
}
