#include <math.h>
#include <stddef.h>

static float largest(const float *v, size_t n)
{
    float m = v[0];
    for (size_t i = 1; i < n; i++)
        m = v[i] > m ? v[i] : m;
    return m;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        const float *in = &scores[r * cols];
        float *out = &weights[r * cols];
        float m = largest(in, cols), sum = 0.0f;
        for (size_t c = 0; c < cols; c++) {
            out[c] = expf(in[c] - m);
            sum += in[c];
        }
        for (size_t c = 0; c < cols; c++)
            out[c] = out[c] / sum;
    }
}
