/* Matrix products of plain arrays, as one instruction set does them.
 *
 * c = a b, or c += a b, with a (m, k), b (k, n) and c (m, n). Strides count floats; with those of a
 * and b any of the four transpositions is told. Sums run in float32, in blocks of the inner size,
 * and are the same bits however the rows and columns of c are shared out. c overlaps neither a nor
 * b. Source: Goto and van de Geijn 2008, "Anatomy of High-Performance Matrix Multiplication". */
#ifndef ATTN_KERNEL_GEMM_H
#define ATTN_KERNEL_GEMM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct gemm {
    size_t m, n, k;
    const float *a, *b;
    ptrdiff_t a_row, a_column, b_row, b_column;
    float *c;
    ptrdiff_t c_row; /* its columns lie one after the other */
    bool add;        /* c += a b */
};

/* Floats of room that a kernel's gemm needs, for a and b brought into its order. */
typedef size_t gemm_room_function(const struct gemm *gemm);
/* room: as many floats as gemm_room says, aligned to 64 bytes. stop, when not NULL: once it is not
 * 0 the product is left unfinished, within a millisecond. */
typedef void gemm_function(const struct gemm *gemm, float *room, const volatile sig_atomic_t *stop);

#endif
