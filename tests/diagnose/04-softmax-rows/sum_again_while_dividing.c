#include <math.h>
#include <stddef.h>

static float row_sum(const float *row, size_t len)
{
    float s = 0;
    for (size_t j = 0; j < len; j++)
        s += row[j];
    return s;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        const float *in = &scores[r * cols];
        float *out = &weights[r * cols];
        float biggest = in[0];
        for (size_t j = 1; j < cols; j++)
            if (in[j] > biggest)
                biggest = in[j];
        for (size_t j = 0; j < cols; j++)
            out[j] = expf(in[j] - biggest);
        for (size_t j = 0; j < cols; j++)
            out[j] /= row_sum(out, cols);
    }
}
