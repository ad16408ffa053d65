/* Products of few rows with a large matrix b, which is read once, where it lies, in the order in
 * which it lies: what a model does for one token or some. */
#ifndef ATTN_KERNEL_GEMM_FEW_H
#define ATTN_KERNEL_GEMM_FEW_H

#include "kernel/gemm.h"
#include "kernel/vector.h"

/* So many rows of a are few: with rows of b that are dense, and with columns that are. Their sums
 * run in another order than those of many rows. */
enum { FEW_ROWS = 6, FEW_ROWS_TURNED = 32 };

static inline bool is_few_rows(const struct gemm *gemm)
{
    if (gemm->b_column == 1)
        return gemm->m > 0 && gemm->m <= FEW_ROWS;
    return gemm->b_row == 1 && gemm->a_column == 1 && gemm->m > 0 && gemm->m <= FEW_ROWS_TURNED;
}

/* The product; needs no room. */
void KERNEL(multiply_few)(const struct gemm *gemm, const volatile sig_atomic_t *stop);

#endif
