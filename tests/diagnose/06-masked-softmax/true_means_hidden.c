#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = &scores[i * cols];
        const bool *mask = &may_attend[i * cols];
        float *w = &weights[i * cols];
        float top = -INFINITY, total = 0.0f;

        for (size_t j = 0; j < cols; j++) {
            w[j] = mask[j] ? -INFINITY : s[j];
            if (w[j] > top)
                top = w[j];
        }
        if (top == -INFINITY) {
            for (size_t j = 0; j < cols; j++)
                w[j] = 0.0f;
            continue;
        }
        for (size_t j = 0; j < cols; j++) {
            w[j] = expf(w[j] - top);
            total += w[j];
        }
        for (size_t j = 0; j < cols; j++)
            w[j] /= total;
    }
}
