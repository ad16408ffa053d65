#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++, scores += cols, may_attend += cols, weights += cols) {
        float max = -INFINITY;
        int visible = 0;
        for (size_t j = 0; j < cols; j++) {
            if (!may_attend[j])
                continue;
            visible++;
            if (scores[j] > max)
                max = scores[j];
        }
        memset(weights, 0, cols * sizeof *weights);
        if (visible == 0)
            return;
        float sum = 0;
        for (size_t j = 0; j < cols; j++)
            if (may_attend[j])
                sum += weights[j] = expf(scores[j] - max);
        for (size_t j = 0; j < cols; j++)
            weights[j] /= sum;
    }
}
