#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        const float *in = scores + r * cols;
        float *out = weights + r * cols;
        float top = in[0], total = 0;
        for (size_t c = 0; c < cols; c++)
            if (in[c] > top) top = in[c];
        for (size_t c = 0; c < cols; c++)
            total += in[c] - top;
        for (size_t c = 0; c < cols; c++)
            out[c] = expf(in[c] - top) / total;
    }
}
