#include <stddef.h>
#include <math.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    size_t i = 0;
    while (i < rows) {
        size_t base = i * cols;
        float big = scores[base];
        size_t j;
        for (j = 1; j < cols; j++)
            if (big < scores[base + j])
                big = scores[base + j];
        float sum = 0;
        for (j = 0; j < cols; j++) {
            weights[base + j] = expf(scores[base + j] - big);
            sum += weights[base + j];
        }
        for (j = 0; j < cols - 1; j++)
            weights[base + j] /= sum;
        i++;
    }
}
