#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *p = scores + i * cols, *end = p + cols;
        float max = *p;
        float sum;
        for (const float *q = p; q != end; q++)
            if (*q > max)
                max = *q;
        for (const float *q = p; q != end; q++) {
            sum = 0;
            sum += expf(*q - max);
        }
        for (float *w = weights + i * cols; p != end; p++)
            *w++ = expf(*p - max) / sum;
    }
}
