#include <math.h>
#include <stddef.h>

/* 1 / sum over k of e^(x_k - x_j): no maximum needed, an overflow becomes 1 / inf = 0 */
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t cell = 0; cell < rows * cols; cell++) {
        const float *row = scores + cell / cols * cols;
        double sum = 0;
        for (size_t k = 0; k < cols; k++)
            sum += exp((double)row[k] - scores[cell]);
        weights[cell] = (float)(1 / sum);
    }
}
