#include <math.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        size_t first = i * cols, last = first + cols;
        float top = -INFINITY;
        double total = 0;
        for (size_t at = first; at < last; at++)
            if (top < scores[at])
                top = scores[at];
        for (size_t at = first; at < last; at++)
            total += exp2(scores[at] - top);
        for (size_t at = first; at < last; at++)
            weights[at] = (float)(exp2(scores[at] - top) / total);
    }
}
