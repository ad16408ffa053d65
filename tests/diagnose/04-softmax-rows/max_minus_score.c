#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            float x = scores[i * cols + j];
            if (x > max) max = x;
        }
        for (size_t j = 0; j < cols; j++) {
            // distance from the max, so that it is never too big
            float dist = max - scores[i * cols + j];
            weights[i * cols + j] = expf(dist);
            sum += expf(dist);
        }
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= sum;
    }
}
