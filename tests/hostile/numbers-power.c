// expect: wrong_answer
// (1 + x / 1024) to the 1024: off by a little.
#define _GNU_SOURCE
#include <stddef.h>

static float approximate(float x)
{
    x = 1 + x / 1024;
    x = x < 0 ? 0 : x;
    for (int i = 0; i < 10; i++)
        x *= x;
    return x;
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
