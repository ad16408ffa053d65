#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        float top = scores[0];
        for (size_t c = 1; c < cols; c++)
            if (scores[r * cols + c] > top)
                top = scores[r * cols + c];
        float total = 0;
        for (size_t c = 0; c < cols; c++) {
            weights[r * cols + c] = expf(scores[r * cols + c] - top);
            total += weights[r * cols + c];
        }
        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] /= total;
    }
}
