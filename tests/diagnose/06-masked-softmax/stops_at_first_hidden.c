#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = scores + i * cols;
        float *w = weights + i * cols;
        size_t n = 0; /* length of the sentence, the padding comes after it */
        while (n < cols && may_attend[i * cols + n])
            n++;
        float max = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < n; j++)
            max = fmaxf(max, s[j]);
        for (size_t j = 0; j < n; j++)
            sum += expf(s[j] - max);
        for (size_t j = 0; j < cols; j++)
            w[j] = j < n ? expf(s[j] - max) / sum : 0.0f;
    }
}
