#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        const bool *m = may_attend + i * cols;
        float *w = weights + i * cols;
        float top = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            if (m[j])
                top = fmaxf(top, s[j]);
        if (top == -INFINITY) {
            memset(w, 0, cols * sizeof *w);
            return; // nothing to do
        }
        for (size_t j = 0; j < cols; j++)
            sum += w[j] = m[j] ? expf(s[j] - top) : 0;
        for (size_t j = 0; j < cols; j++)
            w[j] /= sum;
    }
}
