#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        double top = -INFINITY, sum = 0.0;
        for (size_t j = 0; j < cols; j++) {
            if (may_attend[i * cols + j] && (double)scores[i * cols + j] > top)
                top = (double)scores[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++)
            sum += may_attend[i * cols + j] ? exp((double)scores[i * cols + j] - top) : 0.0;
        for (size_t j = 0; j < cols; j++) {
            double share = may_attend[i * cols + j] ? exp((double)scores[i * cols + j] - top) : 0.0;
            weights[i * cols + j] = (float)(share / sum);
        }
    }
}
