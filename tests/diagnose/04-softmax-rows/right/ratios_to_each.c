#include <math.h>
#include <stddef.h>

/* 1 / sum over k of exp(x_k - x_j): no maximum is needed, an overflow gives 1 / inf = 0 */
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < cols; j++) {
            double sum = 0;
            for (size_t k = 0; k < cols; k++)
                sum += exp((double)scores[r * cols + k] - (double)scores[r * cols + j]);
            weights[r * cols + j] = (float)(1 / sum);
        }
}
