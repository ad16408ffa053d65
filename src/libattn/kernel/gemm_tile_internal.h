/* The innermost part of every matrix product: a tile of the result that stays in registers while it
 * runs along the inner size. Source: Goto and van de Geijn 2008, "Anatomy of High-Performance
 * Matrix Multiplication"; Van Zee and van de Geijn 2015, "BLIS", section 4. */
#ifndef ATTN_KERNEL_GEMM_TILE_INTERNAL_H
#define ATTN_KERNEL_GEMM_TILE_INTERNAL_H

#include <stdbool.h>

#include "kernel/vector_internal.h"

/* A tile has up to TILE_ROWS x TILE_VECTORS vectors, as many as leave registers for the factors:
 * AVX-512 and NEON have 32 registers, others 16. */
#if KERNEL_LANES == 16 || defined(__aarch64__)
enum { TILE_ROWS = 6, TILE_VECTORS = 4 };
#else
enum { TILE_ROWS = 6, TILE_VECTORS = 2 };
#endif
enum { TILE_COLUMNS = TILE_VECTORS * KERNEL_LANES };

/* The inputs and the result of a tile. */
struct tile {
    size_t k;       /* the inner size */
    const float *a; /* (rows, k): row i, place p at a[i * a_row + p * a_column] */
    ptrdiff_t a_row, a_column;
    ptrdiff_t a_tile; /* from the first row of a tile to that of the next */
    const float *b;   /* (k, columns): rows of whole vectors, b_row apart */
    ptrdiff_t b_row;
    float *c; /* (rows, columns): rows c_row apart */
    ptrdiff_t c_row;
    bool add; /* c += a b instead of c = a b */
};

/* The first `vectors` vectors of each row, added to what is there or not. */
KERNEL_INLINE void tile_write(const struct tile *tile, unsigned rows, unsigned vectors,
                              vec sums[TILE_ROWS][TILE_VECTORS])
{
    float *c = tile->c;
    ptrdiff_t c_row = tile->c_row;
    if (tile->add) {
        KERNEL_UNROLL
        for (unsigned i = 0; i < rows; i++)
            KERNEL_UNROLL
        for (unsigned v = 0; v < vectors; v++)
            sums[i][v] += vec_load(c + (ptrdiff_t)i * c_row + v * KERNEL_LANES);
    }
    KERNEL_UNROLL
    for (unsigned i = 0; i < rows; i++, c += c_row)
        KERNEL_UNROLL
    for (unsigned v = 0; v < vectors; v++)
        vec_store(c + v * KERNEL_LANES, sums[i][v]);
}

/* The same if only the first `columns` columns of each row's last vector exist. */
KERNEL_INLINE void tile_write_rest(const struct tile *tile, unsigned rows, unsigned vectors,
                                   vec sums[TILE_ROWS][TILE_VECTORS], size_t columns)
{
    float rest[TILE_ROWS][KERNEL_LANES], *c = tile->c + (vectors - 1) * KERNEL_LANES;
    bool add = tile->add;
    KERNEL_UNROLL
    for (unsigned i = 0; i < rows; i++)
        vec_store(rest[i], sums[i][vectors - 1]);
    for (unsigned i = 0; i < rows; i++, c += tile->c_row)
        for (size_t at = 0; at < columns; at++)
            c[at] = add ? c[at] + rest[i][at] : rest[i][at];
}

/* Prefetches c while the sums grow. If the inner size is small, c is still in the cache. */
KERNEL_INLINE void tile_prefetch(const struct tile *tile, unsigned rows, unsigned vectors)
{
    enum { FEW = 96 };
    if (tile->k <= FEW)
        return;
    KERNEL_UNROLL
    for (unsigned i = 0; i < rows; i++)
        KERNEL_UNROLL
    for (unsigned v = 0; v < vectors; v++)
        __builtin_prefetch(tile->c + (ptrdiff_t)i * tile->c_row + v * KERNEL_LANES, 1, 3);
}

/* rows and vectors are constants after inlining; of the last vector only the remaining columns are
 * written. */
KERNEL_INLINE void tile_multiply(const struct tile *tile, unsigned rows, unsigned vectors,
                                 size_t columns)
{
    vec sums[TILE_ROWS][TILE_VECTORS];
    tile_prefetch(tile, rows, vectors);
    KERNEL_UNROLL
    for (unsigned i = 0; i < rows; i++)
        KERNEL_UNROLL
    for (unsigned v = 0; v < vectors; v++)
        sums[i][v] = (vec){0};
    const float *a = tile->a, *b = tile->b;
    KERNEL_UNROLL_SOME
    for (size_t p = 0; p < tile->k; p++) {
        vec row[TILE_VECTORS];
        KERNEL_UNROLL
        for (unsigned v = 0; v < vectors; v++) {
            __builtin_prefetch(b + v * KERNEL_LANES + 8 * tile->b_row, 0, 3);
            row[v] = vec_load(b + v * KERNEL_LANES);
        }
        KERNEL_UNROLL
        for (unsigned i = 0; i < rows; i++) {
            vec factor = vec_splat(a[(ptrdiff_t)i * tile->a_row]);
            KERNEL_UNROLL
            for (unsigned v = 0; v < vectors; v++)
                sums[i][v] += factor * row[v];
        }
        a += tile->a_column;
        b += tile->b_row;
    }
    size_t rest = columns % KERNEL_LANES;
    if (rest == 0) {
        tile_write(tile, rows, vectors, sums);
    } else {
        tile_write(tile, rows, vectors - 1, sums);
        tile_write_rest(tile, rows, vectors, sums, rest);
    }
}

/* c (+)= a b for a panel: any number of rows, at most TILE_COLUMNS columns. */
void KERNEL(panel_multiply)(const struct tile *panel, size_t rows, size_t columns);

#endif
