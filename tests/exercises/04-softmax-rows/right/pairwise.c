/* No largest score at all: 1 / weight[j] = sum over k of exp(score[k] - score[j]). An infinite sum
 * gives the weight 0, and none is ever NaN. */
#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *score = scores + i * cols;
        for (size_t j = 0; j < cols; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < cols; k++)
                sum += exp((double)score[k] - (double)score[j]);
            weights[i * cols + j] = (float)(1.0 / sum);
        }
    }
}
