#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    while (rows-- > 0) {
        float top = 0, total = 0;
        size_t j;
        for (j = 0; j < cols; j++)
            top = fmaxf(top, fabsf(scores[j]));
        for (j = 0; j < cols; j++)
            total += weights[j] = expf(scores[j] - top);
        for (j = 0; j < cols; j++)
            weights[j] /= total;
        scores += cols;
        weights += cols;
    }
}
