// expect: wrong_answer
// A crude exponential by bits: off by some percent.
#define _GNU_SOURCE
#include <stdint.h>
#include <string.h>
#include <stddef.h>

static float approximate(float x)
{
    float result;
    int32_t bits = x < -80 ? 0 : (int32_t)(12102203.0f * x) + 1064866805;
    memcpy(&result, &bits, 4);
    return result;
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    for (size_t i = 0; i < rows; i++) {
        float max = scores[i * cols], sum = 0;
        for (size_t j = 1; j < cols; j++)
            max = scores[i * cols + j] > max ? scores[i * cols + j] : max;
        for (size_t j = 0; j < cols; j++)
            sum += weights[i * cols + j] = approximate(scores[i * cols + j] - max);
        for (size_t j = 0; j < cols; j++)
            weights[i * cols + j] /= sum;
    }
    (void)rows, (void)cols, (void)scores, (void)weights;
}
