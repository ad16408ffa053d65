#include <math.h>
#include <stddef.h>

/* keep the numbers small first, otherwise exp gets infinite */
void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *s = &scores[i * cols];
        float *w = &weights[i * cols];
        float top = s[0];
        for (size_t j = 0; j < cols; j++)
            top = s[j] > top ? s[j] : top;
        float total = 0;
        for (size_t j = 0; j < cols; j++) {
            w[j] = expf(s[j] / top);
            total += w[j];
        }
        for (size_t j = 0; j < cols; j++)
            w[j] = w[j] / total;
    }
}
