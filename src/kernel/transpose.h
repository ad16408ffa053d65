/* Bringing a matrix of any strides into dense rows of whole vectors. */
#ifndef ATTN_KERNEL_TRANSPOSE_H
#define ATTN_KERNEL_TRANSPOSE_H

#include "kernel/vector.h"

/* What to take from two vectors a and b, as shuffles count: a's lanes are 0.., b's LANES..; their
 * lower halves in turns, and their upper halves in turns. */
#if KERNEL_LANES == 16
#define TURNS_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define TURNS_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif KERNEL_LANES == 8
#define TURNS_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define TURNS_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define TURNS_LOW 0, 4, 1, 5
#define TURNS_HIGH 2, 6, 3, 7
#endif

/* rows[i][j] becomes rows[j][i]: taking the upper and the lower half of the rows in turns, and
 * doing so log2(LANES) times. */
KERNEL_INLINE void transpose_vectors(vec rows[KERNEL_LANES])
{
    KERNEL_UNROLL
    for (unsigned step = 1; step < KERNEL_LANES; step *= 2) {
        vec turned[KERNEL_LANES];
        KERNEL_UNROLL
        for (unsigned i = 0; i < KERNEL_LANES / 2; i++) {
            vec a = rows[i], b = rows[i + KERNEL_LANES / 2];
            turned[2 * i] = __builtin_shufflevector(a, b, TURNS_LOW);
            turned[2 * i + 1] = __builtin_shufflevector(a, b, TURNS_HIGH);
        }
        KERNEL_UNROLL
        for (unsigned i = 0; i < KERNEL_LANES; i++)
            rows[i] = turned[i];
    }
}

/* Lane i is the sum of the lanes of rows[i]. rows is left transposed. */
KERNEL_INLINE vec sums_of_vectors(vec rows[KERNEL_LANES])
{
    transpose_vectors(rows);
    vec sum = rows[0];
    KERNEL_UNROLL
    for (unsigned i = 1; i < KERNEL_LANES; i++)
        sum += rows[i];
    return sum;
}

/* LANES rows of `to`, LANES numbers each, from columns that are dense in memory: row p holds
 * from[j * column + p], j counting up. */
KERNEL_INLINE void pack_square(const float *from, ptrdiff_t column, float *to, size_t width)
{
    vec rows[KERNEL_LANES];
    KERNEL_UNROLL
    for (unsigned j = 0; j < KERNEL_LANES; j++)
        rows[j] = vec_load(from + (ptrdiff_t)j * column);
    transpose_vectors(rows);
    KERNEL_UNROLL
    for (unsigned p = 0; p < KERNEL_LANES; p++)
        vec_store(to + p * width, rows[p]);
}

KERNEL_INLINE void pack_number_by_number(const float *from, ptrdiff_t row, ptrdiff_t column,
                                         size_t n_rows, size_t n_columns, float *to, size_t width)
{
    for (size_t p = 0; p < n_rows; p++)
        for (size_t j = 0; j < n_columns; j++)
            to[p * width + j] = from[(ptrdiff_t)p * row + (ptrdiff_t)j * column];
}

/* to (n_rows, n_columns), rows `width` apart, = from with its strides. */
static inline void copy_strided(const float *from, ptrdiff_t row, ptrdiff_t column, size_t n_rows,
                                size_t n_columns, float *to, size_t width)
{
    if (column == 1) {
        for (size_t p = 0; p < n_rows; p++)
            memcpy(to + p * width, from + (ptrdiff_t)p * row, n_columns * sizeof *to);
        return;
    }
    size_t squares_p = row == 1 ? n_rows / KERNEL_LANES * KERNEL_LANES : 0;
    size_t squares_j = row == 1 ? n_columns / KERNEL_LANES * KERNEL_LANES : 0;
    for (size_t j = 0; j < squares_j; j += KERNEL_LANES)
        for (size_t p = 0; p < squares_p; p += KERNEL_LANES)
            pack_square(from + p + (ptrdiff_t)j * column, column, to + p * width + j, width);
    /* what is left on the right, and below */
    pack_number_by_number(from + (ptrdiff_t)squares_j * column, row, column, squares_p,
                          n_columns - squares_j, to + squares_j, width);
    pack_number_by_number(from + (ptrdiff_t)squares_p * row, row, column, n_rows - squares_p,
                          n_columns, to + squares_p * width, width);
}

/* The same with whole rows of `width`: the columns from n_columns on, which are less than a vector,
 * become 0. */
static inline void pack_rows(const float *from, ptrdiff_t row, ptrdiff_t column, size_t n_rows,
                             size_t n_columns, float *to, size_t width)
{
    if (width > n_columns)
        for (size_t p = 0; p < n_rows; p++)
            memset(to + p * width + n_columns, 0, (width - n_columns) * sizeof *to);
    copy_strided(from, row, column, n_rows, n_columns, to, width);
}

#endif
