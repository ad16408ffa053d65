// expect: pass
// Shows more than anybody wants to see, of places that are not there.
#include "attn_show.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>

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
    float *none = NULL;
    for (size_t i = 0; i < 1000000; i++) {
        SHOW(scores, SIZE_MAX, SIZE_MAX);
        SHOW(none, rows, cols);
    }
    honest(rows, cols, scores, weights);
}
