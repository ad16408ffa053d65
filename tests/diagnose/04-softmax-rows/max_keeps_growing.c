#include <stddef.h>
#include <math.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float max = -INFINITY;
    float sum;

    for (size_t r = 0; r < rows; ++r) {
        const float *in = scores + r * cols;
        float *out = weights + r * cols;

        // biggest value in this row
        for (size_t c = 0; c < cols; ++c)
            if (in[c] > max)
                max = in[c];

        sum = 0;
        for (size_t c = 0; c < cols; ++c) {
            out[c] = expf(in[c] - max);
            sum += out[c];
        }
        for (size_t c = 0; c < cols; ++c)
            out[c] /= sum;
    }
}
