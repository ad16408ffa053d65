#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float largest = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            largest = fmaxf(largest, scores[i * cols + j]);

        float total = 0;
        for (size_t j = 0; j < cols; j++) {
            float e = expf(scores[i * cols + j] - largest);
            total += e;
            weights[i * cols + j] = e / total;   /* saves one loop */
        }
    }
}
