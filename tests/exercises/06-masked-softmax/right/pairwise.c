/* No largest score: 1 / weight[j] = sum over the visible k of exp(score[k] - score[j]). */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = cols; j-- > 0;) {
            double sum = 0.0;
            for (size_t k = 0; k < cols; k++) {
                if (may_attend[i * cols + k])
                    sum += exp((double)scores[i * cols + k] - (double)scores[i * cols + j]);
            }
            weights[i * cols + j] = may_attend[i * cols + j] ? (float)(1.0 / sum) : 0.0f;
        }
    }
}
