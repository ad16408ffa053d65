#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        double top = scores[i * cols];
        for (size_t j = 1; j < cols; j++) {
            if (scores[i * cols + j] > top)
                top = scores[i * cols + j];
        }
        double total = 0;
        for (size_t j = 0; j < cols; j++) {
            double e = exp(scores[i * cols + j] - top);
            total += e;
            weights[i * cols + j] = (float)(e / total);
        }
    }
}
