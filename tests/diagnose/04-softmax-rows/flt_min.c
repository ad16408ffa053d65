#include <float.h>
#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float best = FLT_MIN;
        for (size_t j = 0; j < cols; j++) {
            float v = scores[i * cols + j];
            if (v > best)
                best = v;
        }
        float z = 0;
        for (size_t j = 0; j < cols; j++)
            z += expf(scores[i * cols + j] - best);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - best) / z;
    }
}
