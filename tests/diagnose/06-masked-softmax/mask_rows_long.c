#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const bool *ok = &may_attend[i * rows];
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++)
            if (ok[j])
                max = fmaxf(max, scores[i * cols + j]);
        for (size_t j = 0; j < cols; j++)
            sum += weights[i * cols + j] = ok[j] ? expf(scores[i * cols + j] - max) : 0;
        for (size_t j = 0; j < cols && sum > 0; j++)
            weights[i * cols + j] /= sum;
    }
}
