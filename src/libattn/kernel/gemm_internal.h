/* Matrix products of plain arrays, for one instruction set.
 *
 * c = a b, or c += a b, with a (m, k), b (k, n) and c (m, n). Strides count floats; those of a and
 * b express any of the four transpositions. Sums run in float32, in blocks of the inner size, and
 * are the same bits however the rows and columns of c are shared between threads. c overlaps
 * neither a nor b. Source: Goto and van de Geijn 2008, "Anatomy of High-Performance Matrix
 * Multiplication". */
#ifndef ATTN_KERNEL_GEMM_INTERNAL_H
#define ATTN_KERNEL_GEMM_INTERNAL_H

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

/* The number of floats that a kernel's gemm needs as room, to copy a and b in its order. */
typedef size_t gemm_room_function(const struct gemm *gemm);
/* room: as many floats as gemm_room says, aligned to 64 bytes. stop, if not NULL: once it is not 0,
 * the product is left unfinished, within a millisecond. */
typedef void gemm_function(const struct gemm *gemm, float *room, const volatile sig_atomic_t *stop);

#endif
