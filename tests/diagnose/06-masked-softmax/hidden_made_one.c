#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY, sum = 0;
        size_t seen = 0;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[i * cols + j]) {
                top = fmaxf(top, scores[i * cols + j]);
                seen++;
            }
        for (size_t j = 0; j < cols; j++)
            sum += may_attend[i * cols + j] ? expf(scores[i * cols + j] - top) : 1;
        for (size_t j = 0; j < cols; j++) {
            float e = may_attend[i * cols + j] ? expf(scores[i * cols + j] - top) : 0;
            weights[i * cols + j] = seen ? e / sum : 0;
        }
    }
}
