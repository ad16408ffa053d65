#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        const bool *ok = may_attend + i * cols;
        float *w = weights + i * cols;
        float max = -INFINITY;
        float sum = 0;
        size_t j;

        for (j = 0; j < cols; j++)
            if (s[j] > max)
                max = s[j];

        for (j = 0; j < cols; j++) {
            if (ok[j]) {
                w[j] = expf(s[j] - max);
                sum += w[j];
            } else {
                w[j] = 0;
            }
        }
        if (sum > 0)
            for (j = 0; j < cols; j++)
                w[j] = w[j] / sum;
    }
}
