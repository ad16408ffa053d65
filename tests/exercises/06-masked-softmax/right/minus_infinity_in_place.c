/* Writes the masked scores into weights first and works there; a row whose largest score is still
 * -INFINITY is hidden altogether. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t at = 0; at < rows * cols; at++)
        weights[at] = may_attend[at] ? scores[at] : -INFINITY;
    for (float *row = weights; row < weights + rows * cols; row += cols) {
        float top = -INFINITY;
        double sum = 0.0;
        for (size_t j = 0; j < cols; j++)
            top = row[j] > top ? row[j] : top;
        if (top == -INFINITY) {
            for (size_t j = 0; j < cols; j++)
                row[j] = 0.0f;
            continue;
        }
        for (size_t j = 0; j < cols; j++)
            sum += exp((double)row[j] - (double)top);
        for (size_t j = 0; j < cols; j++)
            row[j] = (float)(exp((double)row[j] - (double)top) / sum);
    }
}
