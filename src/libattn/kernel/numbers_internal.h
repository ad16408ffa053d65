/* Long runs of numbers, for one instruction set. */
#ifndef ATTN_KERNEL_NUMBERS_INTERNAL_H
#define ATTN_KERNEL_NUMBERS_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

/* Whether none of x[0..n) is NaN or infinite. */
typedef bool all_finite_function(const float *x, size_t n);

#endif
