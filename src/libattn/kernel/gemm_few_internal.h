/* Products of few rows with a large matrix b, which is read once, in place and in memory order: a
 * model does these for one token or a few. */
#ifndef ATTN_KERNEL_GEMM_FEW_INTERNAL_H
#define ATTN_KERNEL_GEMM_FEW_INTERNAL_H

#include "kernel/gemm_internal.h"
#include "kernel/vector_internal.h"

/* The most rows of a that count as few: if the rows of b are dense, and if its columns are. Their
 * sums run in another order than those of many rows. */
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
