#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (int i = 0; i < rows; i++) {
        float max = -1e30f;
        int sum = 0;
        for (int j = 0; j < cols; j++)
            if (scores[i * cols + j] > max)
                max = scores[i * cols + j];
        for (int j = 0; j < cols; j++)
            sum += expf(scores[i * cols + j] - max);
        for (int j = 0; j < cols; j++)
            weights[i * cols + j] = expf(scores[i * cols + j] - max) / sum;
    }
}
