#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        float m = -INFINITY;
        for (size_t c = 0; c < cols; c++)
            if (may_attend[r * cols + c] && scores[r * cols + c] > m)
                m = scores[r * cols + c];
        float total = 0;
        for (size_t c = 0; c < cols; c++) {
            float e = expf(scores[r * cols + c] - m);
            total += e;
            weights[r * cols + c] = may_attend[r * cols + c] ? e : 0;
        }
        for (size_t c = 0; c < cols; c++)
            weights[r * cols + c] = total > 0 && m > -INFINITY ? weights[r * cols + c] / total : 0;
    }
}
