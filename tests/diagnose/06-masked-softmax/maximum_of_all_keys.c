#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        const bool *may = may_attend + i * cols;
        float *w = weights + i * cols;
        float max = s[0], sum = 0;
        for (size_t j = 1; j < cols; j++)
            if (s[j] > max)
                max = s[j];
        for (size_t j = 0; j < cols; j++) {
            w[j] = may[j] ? expf(s[j] - max) : 0;
            sum += w[j];
        }
        for (size_t j = 0; j < cols && sum > 0; j++)
            w[j] /= sum;
    }
}
