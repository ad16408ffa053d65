/* Largest, exponentials, division: a loop each. */
#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *score = scores + i * cols;
        float *weight = weights + i * cols;
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            top = fmaxf(top, score[j]);
        for (size_t j = 0; j < cols; j++) {
            weight[j] = expf(score[j] - top);
            sum += weight[j];
        }
        for (size_t j = 0; j < cols; j++)
            weight[j] /= sum;
    }
}
