/* Products of a matrix and one vector, which read the matrix once, in memory order, so that memory
 * is fetched ahead. */
#ifndef ATTN_KERNEL_VECTOR_PRODUCTS_INTERNAL_H
#define ATTN_KERNEL_VECTOR_PRODUCTS_INTERNAL_H

#include <stdbool.h>

#include "kernel/vector_internal.h"

/* to[i] (+)= x . row i, for n rows of d numbers, `row` apart. */
void KERNEL(dot_rows)(const float *x, size_t d, const float *rows, ptrdiff_t row, size_t n,
                      bool add, float *to);
/* to (d) (+)= the sum of n rows of d numbers, `row` apart, row p times x[p * x_step]. */
void KERNEL(mix_rows)(const float *x, ptrdiff_t x_step, size_t n, const float *rows, ptrdiff_t row,
                      size_t d, bool add, float *to);

#endif
