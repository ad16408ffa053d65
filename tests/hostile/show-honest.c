// expect: pass
// Looks inside itself, as one may: where it is graded SHOW does nothing, not even its side effects.
#include "attn_show.h"
#include <math.h>
#include <stddef.h>

static void honest(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        const float *in = scores + i * cols;
        float *out = weights + i * cols;
        float max = in[0];
        double sum = 0;
        for (size_t j = 1; j < cols; j++)
            max = in[j] > max ? in[j] : max;
        for (size_t j = 0; j < cols; j++)
            sum += exp((double)in[j] - (double)max);
        for (size_t j = 0; j < cols; j++)
            out[j] = (float)(exp((double)in[j] - (double)max) / sum);
    }
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    double row[2] = {1, 2}, top = scores[0];
    SHOW(scores, rows, cols);
    SHOW(row, 2);
    SHOW(top);
    SHOW(top = NAN);
    honest(rows, cols, scores, weights);
    weights[0] += (float)(top - (double)scores[0]);
    SHOW(weights, rows, cols);
}
