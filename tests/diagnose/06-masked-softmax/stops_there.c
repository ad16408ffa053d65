#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = &scores[i * cols];
        const bool *ok = &may_attend[i * cols];
        float *w = &weights[i * cols];

        /* how many keys are real words? */
        size_t len = 0;
        while (len < cols && ok[len])
            len++;

        for (size_t j = 0; j < cols; j++)
            w[j] = 0.0f;
        if (len == 0)
            continue;

        float top = s[0];
        for (size_t j = 1; j < len; j++)
            if (s[j] > top) top = s[j];
        float total = 0.0f;
        for (size_t j = 0; j < len; j++) {
            w[j] = expf(s[j] - top);
            total += w[j];
        }
        for (size_t j = 0; j < len; j++)
            w[j] /= total;
    }
}
