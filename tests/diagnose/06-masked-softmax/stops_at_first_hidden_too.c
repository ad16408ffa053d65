#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        const bool *m = may_attend + i * cols;
        float *w = weights + i * cols;

        size_t length = 0;
        while (length < cols && m[length])
            length++;

        float top = -INFINITY, total = 0;
        for (size_t j = 0; j < length; j++)
            top = s[j] > top ? s[j] : top;
        for (size_t j = 0; j < length; j++) {
            w[j] = expf(s[j] - top);
            total += w[j];
        }
        for (size_t j = 0; j < length; j++)
            w[j] /= total;
        for (size_t j = length; j < cols; j++)
            w[j] = 0;
    }
}
