/* One pass for the largest score and the sum together: the sum is rescaled whenever a larger score
 * turns up. */
#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float top = scores[i * cols], sum = 1.0f;
        for (size_t j = 1; j < cols; j++) {
            float score = scores[i * cols + j];
            if (score > top) {
                sum = sum * expf(top - score) + 1.0f;
                top = score;
            } else {
                sum += expf(score - top);
            }
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - top) / sum;
    }
}
