#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        const float *x = scores + r * cols;
        float m = x[0], s = 0;
        for (size_t c = 1; c < cols; c++)
            if (x[c] > m) m = x[c];
        for (size_t c = 0; c < cols; c++)
            s += expf(x[c] - m);
        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] = x[c] - m - logf(s);
    }
}
