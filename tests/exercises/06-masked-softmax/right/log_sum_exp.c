/* The logarithm of the sum over the visible scores is taken from each of them. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++, scores += cols, may_attend += cols, weights += cols) {
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[j])
                top = fmaxf(top, scores[j]);
        for (size_t j = 0; j < cols; j++)
            if (may_attend[j])
                sum += expf(scores[j] - top);
        const float lse = top + logf(sum);
        for (size_t j = 0; j < cols; j++)
            weights[j] = may_attend[j] ? expf(scores[j] - lse) : 0;
    }
}
