// expect: wrong_answer|non_finite
// A sum that nobody set to 0.
#define _GNU_SOURCE
#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float sum;
        for (size_t j = 0; j < cols; j++)
            sum += weights[i * cols + j] = expf(scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= sum;
    }
    (void)rows, (void)cols, (void)scores, (void)weights;
}
