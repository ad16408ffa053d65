#include <stddef.h>
#include <math.h>

static float row_max(const float *row, size_t len)
{
    float best = 0.0f;
    while (len--) {
        if (*row > best) best = *row;
        row++;
    }
    return best;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; ++r) {
        const float *in = scores + r * cols;
        float *out = weights + r * cols;
        float m = row_max(in, cols), sum = 0.0f;
        for (size_t c = 0; c < cols; ++c)
            sum += out[c] = expf(in[c] - m);
        for (size_t c = 0; c < cols; ++c)
            out[c] /= sum;
    }
}
