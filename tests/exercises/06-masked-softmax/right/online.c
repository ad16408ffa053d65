/* One pass over the visible keys for the largest score and the sum. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    memset(weights, 0, rows * cols * sizeof *weights);
    for (size_t i = 0; i < rows; i++) {
        const float *score = scores + i * cols;
        const bool *may = may_attend + i * cols;
        float top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            if (!may[j])
                continue;
            float larger = score[j] > top ? score[j] : top;
            sum = sum * expf(top - larger) + expf(score[j] - larger);
            top = larger;
        }
        for (size_t j = 0; j < cols; j++) {
            if (may[j])
                weights[i * cols + j] = expf(score[j] - top) / sum;
        }
    }
}
