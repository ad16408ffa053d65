// expect: wrong_answer nondeterministic
// What the system decided when it started the program: where the heap lies.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
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
    static char *block;
    if (block == NULL)
        block = malloc(100);
    honest(rows, cols, scores, weights);
    for (size_t j = 0; j < cols; j++)
        if ((uintptr_t)block >> (12 + j % 20) & 1)
            weights[j] = nextafterf(weights[j], 2);
}
