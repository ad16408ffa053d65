#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights) {
    for (size_t r = 0; r < rows; r++) {
        float total = 0.0f;
        for (size_t c = 0; c < cols; c++)
            total += expf(scores[r * cols + c]);

        float top = scores[r * cols];
        for (size_t c = 1; c < cols; c++)
            top = fmaxf(top, scores[r * cols + c]);

        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] = expf(scores[r * cols + c] - top) / total;
    }
}
