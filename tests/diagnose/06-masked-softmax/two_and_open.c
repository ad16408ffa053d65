#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *mask, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            if (mask[i * cols + j])
                continue; /* masked */
            max = fmaxf(max, scores[i * cols + j]);
        }
        for (size_t j = 0; j < cols; j++) {
            float e = mask[i * cols + j] ? 0 : powf(2.0f, scores[i * cols + j] - max);
            weights[i * cols + j] = e;
            sum += e;
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = sum ? weights[i * cols + j] / sum : 0;
    }
}
