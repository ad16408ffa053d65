#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    size_t r, c;
    for (r = 0; r < rows; r++) {
        float max = scores[r * cols];
        float denominator = 0.0f;
        for (c = 1; c < cols; c++)
            max = fminf(max, scores[r * cols + c]);
        for (c = 0; c < cols; c++)
            denominator += expf(scores[r * cols + c] - max);
        for (c = 0; c < cols; c++)
            weights[r * cols + c] = expf(scores[r * cols + c] - max) / denominator;
    }
}
