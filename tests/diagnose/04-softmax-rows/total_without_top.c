#include <math.h>
#include <stddef.h>

static float largest(const float *v, size_t n)
{
    float m = v[0];
    for (size_t k = 1; k < n; k++)
        m = fmaxf(m, v[k]);
    return m;
}

static float exp_total(const float *v, size_t n)
{
    float t = 0;
    for (size_t k = 0; k < n; k++)
        t += expf(v[k]);
    return t;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *in = scores + i * cols;
        float *out = weights + i * cols;
        float top = largest(in, cols);
        float total = exp_total(in, cols);
        for (size_t j = 0; j < cols; j++)
            out[j] = expf(in[j] - top) / total;
    }
}
