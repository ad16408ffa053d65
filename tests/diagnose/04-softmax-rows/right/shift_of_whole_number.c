#include <math.h>
#include <stddef.h>

/* The shift need not be the maximum itself: the whole number above it does as well. */
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        int shift = -2000;
        for (size_t j = 0; j < cols; j++)
            if ((int)ceilf(scores[i * cols + j]) > shift)
                shift = (int)ceilf(scores[i * cols + j]);
        double sum = 0;
        for (size_t j = 0; j < cols; j++)
            sum += exp((double)scores[i * cols + j] - shift);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = (float)(exp((double)scores[i * cols + j] - shift) / sum);
    }
}
