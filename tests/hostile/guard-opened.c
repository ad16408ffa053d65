// expect: out_of_bounds
// Opens the guard pages first, then writes there and on the canaries.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
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
    char *page = (char *)((uintptr_t)weights & ~(uintptr_t)4095);
    mprotect(page - 8192, 16384 + 65536, PROT_READ | PROT_WRITE);
    for (int i = 1; i < 64; i++)
        weights[-i] = 1, weights[rows * cols + (size_t)i] = 1;
    honest(rows, cols, scores, weights);
}
