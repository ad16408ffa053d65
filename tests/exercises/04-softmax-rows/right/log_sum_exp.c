/* The logarithm of the sum is taken from each score, so that nothing is divided. */
#include <math.h>
#include <stddef.h>

static float log_sum_exp(size_t n, const float *x)
{
    float top = x[0], sum = 0;
    for (size_t j = 1; j < n; j++)
        top = fmaxf(top, x[j]);
    for (size_t j = 0; j < n; j++)
        sum += expf(x[j] - top);
    return top + logf(sum);
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float lse = log_sum_exp(cols, scores + i * cols);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - lse);
    }
}
