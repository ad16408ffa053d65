#include "kernel/kernel_internal.h"

bool KERNEL(all_finite)(const float *x, size_t n)
{
    /* x - x is 0 for a finite number, else NaN, which stays in every sum. */
    vec sums = {0};
    size_t whole = n / KERNEL_LANES * KERNEL_LANES;
    for (size_t i = 0; i < whole; i += KERNEL_LANES) {
        vec some = vec_load(x + i);
        sums += some - some;
    }
    float sum = vec_sum(sums);
    for (size_t i = whole; i < n; i++)
        sum += x[i] - x[i];
    return sum == 0;
}
