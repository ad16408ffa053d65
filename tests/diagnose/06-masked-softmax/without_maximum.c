#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t r = 0; r < rows; r++) {
        float total = 0.0f;
        for (size_t c = 0; c < cols; c++) {
            size_t at = r * cols + c;
            weights[at] = may_attend[at] ? expf(scores[at]) : 0.0f;
            total += weights[at];
        }
        if (total != 0.0f)
            for (size_t c = 0; c < cols; c++)
                weights[r * cols + c] /= total;
    }
}
