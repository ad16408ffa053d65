#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0.0f;
        bool any = false;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j]) {
                any = true;
                max = fmaxf(max, scores[i * cols + j]);
            }
        for (size_t j = 0; j < cols; j++) {
            /* true is 1 and false is 0, so no if is needed */
            weights[i * cols + j] = any ? expf((scores[i * cols + j] - max) * may_attend[i * cols + j]) : 0;
            sum += weights[i * cols + j];
        }
        for (size_t j = 0; j < cols; j++)
            if (any)
                weights[i * cols + j] /= sum;
    }
}
