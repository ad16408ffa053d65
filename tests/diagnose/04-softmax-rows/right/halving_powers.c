#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++, scores += cols, weights += cols) {
        double z = 0;
        for (size_t a = 0; a < cols; a++) {
            z = 0;
            for (size_t b = 0; b < cols; b++)
                z += exp((double)scores[b] - scores[a]);
            weights[a] = (float)(1 / z);
        }
    }
}
