#include <stddef.h>
#include <math.h>

static float row_max(const float *r, size_t n) {
    float m = r[0];
    for (size_t k = 1; k < n; k++) if (r[k] > m) m = r[k];
    return m;
}
static float row_sum(const float *r, size_t n) {
    float s = 0;
    for (size_t k = 0; k < n; k++) s += expf(r[k]);
    return s;
}
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *r = scores + i * cols;
        float m = row_max(r, cols), s = row_sum(r, cols);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] = expf(r[j] - m) / s;
    }
}
