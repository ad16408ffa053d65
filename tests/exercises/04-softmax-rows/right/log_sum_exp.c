/* In double, by the logarithm of the sum: weight = exp(score - log(sum of exp)). */
#include <math.h>
#include <stddef.h>

static double log_sum_exp(size_t n, const float *x)
{
    double top = (double)x[0], sum = 0.0;
    for (size_t i = 1; i < n; i++)
        top = (double)x[i] > top ? (double)x[i] : top;
    for (size_t i = 0; i < n; i++)
        sum += exp((double)x[i] - top);
    return top + log(sum);
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = rows; i-- > 0;) {
        double norm = log_sum_exp(cols, scores + i * cols);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = (float)exp((double)scores[i * cols + j] - norm);
    }
}
