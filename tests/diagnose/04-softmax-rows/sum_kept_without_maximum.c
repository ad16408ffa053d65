#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    float sum = 0.0f;
    for (size_t r = 0; r < rows; r++) {
        const float *in = scores + r * cols;
        float *out = weights + r * cols;
        float biggest = in[0];
        for (size_t c = 1; c < cols; c++)
            if (in[c] > biggest)
                biggest = in[c];
        for (size_t c = 0; c < cols; c++) {
            out[c] = expf(in[c]);
            sum += out[c];
        }
        for (size_t c = 0; c < cols; c++)
            out[c] /= sum;
    }
}
