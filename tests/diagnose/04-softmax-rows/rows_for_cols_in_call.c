#include <math.h>
#include <stddef.h>

static void one_row(const float *in, float *out, size_t n)
{
    float top = in[0];
    for (size_t k = 0; k < n; k++)
        if (in[k] > top)
            top = in[k];
    float sum = 0.0f;
    for (size_t k = 0; k < n; k++)
        sum += out[k] = expf(in[k] - top);
    for (size_t k = 0; k < n; k++)
        out[k] /= sum;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++)
        one_row(&scores[i * cols], &weights[i * cols], rows);
}
