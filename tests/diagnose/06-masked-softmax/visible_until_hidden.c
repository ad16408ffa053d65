#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++) {
            weights[i * cols + j] = 0;
            if (may_attend[i * cols + j] && scores[i * cols + j] > top)
                top = scores[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++) {
            if (!may_attend[i * cols + j])
                break;
            weights[i * cols + j] = expf(scores[i * cols + j] - top);
            sum += weights[i * cols + j];
        }
        if (sum == 0)
            continue;
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= sum;
    }
}
