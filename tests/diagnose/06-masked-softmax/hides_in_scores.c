#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    float *s = (float *)scores;
    for (size_t k = 0; k < rows * cols; k++)
        if (!may_attend[k])
            s[k] = -INFINITY;
    for (size_t i = 0; i < rows; i++, s += cols, weights += cols) {
        float max = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            max = fmaxf(max, s[j]);
        for (size_t j = 0; j < cols; j++)
            sum += weights[j] = max > -INFINITY ? expf(s[j] - max) : 0;
        for (size_t j = 0; j < cols; j++)
            weights[j] = sum > 0 ? weights[j] / sum : 0;
    }
}
