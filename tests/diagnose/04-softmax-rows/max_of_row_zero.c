#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float max = scores[0];
    for (size_t c = 0; c < cols; c++)
        if (scores[c] > max)
            max = scores[c];
    for (size_t r = 0; r < rows; r++) {
        float sum = 0.0f;
        for (size_t c = 0; c < cols; c++) {
            weights[r * cols + c] = expf(scores[r * cols + c] - max);
            sum += weights[r * cols + c];
        }
        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] /= sum;
    }
}
