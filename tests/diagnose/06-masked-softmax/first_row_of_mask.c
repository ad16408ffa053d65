#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        const bool *see = may_attend;
        float *w = weights + i * cols;
        float peak = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++)
            if (see[j])
                peak = fmaxf(peak, s[j]);
        for (size_t j = 0; j < cols; j++) {
            w[j] = see[j] ? expf(s[j] - peak) : 0.0f;
            sum += w[j];
        }
        if (sum == 0)
            continue;
        for (size_t j = 0; j < cols; j++)
            w[j] /= sum;
    }
}
