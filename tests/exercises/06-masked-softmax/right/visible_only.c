/* Passes over hidden keys in every loop. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            if (may_attend[i * cols + j])
                top = fmaxf(top, scores[i * cols + j]);
        }
        for (size_t j = 0; j < cols; j++) {
            size_t at = i * cols + j;
            weights[at] = may_attend[at] ? expf(scores[at] - top) : 0.0f;
            sum += weights[at];
        }
        for (size_t j = 0; j < cols && sum > 0.0f; j++)
            weights[i * cols + j] /= sum;
    }
}
