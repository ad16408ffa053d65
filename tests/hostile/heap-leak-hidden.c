// expect: leak
// Right, and loses memory with every call, and says that none is in use.
#define _GNU_SOURCE
#include <malloc.h>
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

struct mallinfo2 mallinfo2(void)
{
    return (struct mallinfo2){0};
}

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    char *volatile block = malloc(1000);
    block[0] = 1;
    honest(rows, cols, scores, weights);
}
