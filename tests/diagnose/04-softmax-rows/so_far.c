#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        float *w = weights + i * cols;

        float top = -INFINITY;
        for (size_t j = 0; j < cols; j++)
            if (s[j] > top)
                top = s[j];

        float total = 0;
        for (size_t j = 0; j < cols; j++) {
            w[j] = expf(s[j] - top);
            total += w[j];
            w[j] /= total;
        }
    }
}
