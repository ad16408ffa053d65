#include <math.h>
#include <stddef.h>

/* log-sum-exp, numerically the best way */
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float m = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            m = fmaxf(m, scores[i * cols + j]);
        float acc = 0.0f;
        for (size_t j = 0; j < cols; j++)
            acc += expf(scores[i * cols + j] - m);
        float lse = m + logf(acc);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = scores[i * cols + j] - lse;
    }
}
