#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    const float *s = scores;
    float *w = weights;
    while (rows--) {
        float top = s[0], sum = 0;
        for (size_t k = 1; k < cols; k++) top = fmaxf(top, s[k]);
        for (size_t k = 0; k < cols - 1; k++) sum += expf(s[k] - top);
        for (size_t k = 0; k < cols; k++) w[k] = expf(s[k] - top) / sum;
        s += cols;
        w += cols;
    }
}
