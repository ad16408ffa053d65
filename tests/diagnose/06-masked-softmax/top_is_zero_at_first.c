#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++, scores += cols, may_attend += cols, weights += cols) {
        float top = 0, sum = 0;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[j] && scores[j] > top)
                top = scores[j];
        for (size_t j = 0; j < cols; j++)
            sum += weights[j] = may_attend[j] ? expf(scores[j] - top) : 0;
        if (sum > 0)
            for (size_t j = 0; j < cols; j++)
                weights[j] /= sum;
    }
}
