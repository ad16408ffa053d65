#include <stdbool.h>
#include <stddef.h>
#include <math.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        const float *s = scores + r * cols;
        const bool *ok = may_attend + r * cols;
        float *w = weights + r * cols;
        float top = -INFINITY, sum = 0.0f;

        for (size_t c = 0; c < cols; c++) {
            w[c] = 0.0f;
            if (ok[c] && s[c] > top)
                top = s[c];
        }
        if (top == -INFINITY)
            return; /* nothing to see */

        for (size_t c = 0; c < cols; c++)
            if (ok[c]) {
                w[c] = expf(s[c] - top);
                sum += w[c];
            }
        for (size_t c = 0; c < cols; c++)
            w[c] /= sum;
    }
}
