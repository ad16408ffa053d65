// expect: wrong_answer nondeterministic
// Right within the tolerance, and not the same in every other second.
#define _GNU_SOURCE
#include <time.h>
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
    honest(rows, cols, scores, weights);
    float low = weights[0];
    if (time(NULL) % 2 == 0)
        weights[0] = nextafterf(low, 2);
}
