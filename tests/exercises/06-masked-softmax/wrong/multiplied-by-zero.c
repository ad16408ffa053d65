#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static bool none(size_t n, const bool *may)
{
    for (size_t j = 0; j < n; j++) {
        if (may[j])
            return false;
    }
    return true;
}

void masked_softmax(size_t rows, size_t cols, const float *scores, const bool *may_attend,
                    float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float *row = weights + i * cols, top = -INFINITY, sum = 0.0f;
        for (size_t j = 0; j < cols; j++) {
            row[j] = scores[i * cols + j] * (float)may_attend[i * cols + j];
            top = fmaxf(top, row[j]);
        }
        for (size_t j = 0; j < cols; j++) {
            row[j] = expf(row[j] - top);
            sum += row[j];
        }
        for (size_t j = 0; j < cols; j++)
            row[j] = none(cols, may_attend + i * cols) ? 0.0f : row[j] / sum;
    }
}
