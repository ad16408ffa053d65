// expect: out_of_bounds|crash|exited_early|wrong_answer not written
// Unmaps the output.
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/mman.h>
#include <stddef.h>

void softmax_rows(size_t rows, size_t cols, const float *scores, float *weights)
{
    munmap((char *)((uintptr_t)weights & ~(uintptr_t)4095), 65536);
    weights[0] = 1;
    (void)rows, (void)cols, (void)scores, (void)weights;
}
