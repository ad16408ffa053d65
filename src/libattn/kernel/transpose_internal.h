/* Copies a matrix of any strides to dense rows of whole vectors. */
#ifndef ATTN_KERNEL_TRANSPOSE_INTERNAL_H
#define ATTN_KERNEL_TRANSPOSE_INTERNAL_H

#include "kernel/vector_internal.h"

/* The lanes to take from two vectors a and b, as shuffles count them (a's lanes are 0.., b's
 * LANES..): their lower halves interleaved, and their upper halves interleaved. */
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

/* rows[i][j] becomes rows[j][i]: interleaves the upper and the lower half of the rows, log2(LANES)
 * times. */
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

/* In each four lanes of a and b: the first two of both interleaved, the last two; the first pair of
 * both, the last pair. */
#if KERNEL_LANES == 16
#define FOURS_LOW 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define FOURS_HIGH 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define PAIRS_LOW 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define PAIRS_HIGH 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#elif KERNEL_LANES == 8
#define FOURS_LOW 0, 8, 1, 9, 4, 12, 5, 13
#define FOURS_HIGH 2, 10, 3, 11, 6, 14, 7, 15
#define PAIRS_LOW 0, 1, 8, 9, 4, 5, 12, 13
#define PAIRS_HIGH 2, 3, 10, 11, 6, 7, 14, 15
#else
#define FOURS_LOW 0, 4, 1, 5
#define FOURS_HIGH 2, 6, 3, 7
#define PAIRS_LOW 0, 1, 4, 5
#define PAIRS_HIGH 2, 3, 6, 7
#endif

typedef float four __attribute__((vector_size(16)));
typedef float four_anywhere __attribute__((vector_size(16), aligned(4), may_alias));

KERNEL_INLINE four four_load(const float *from)
{
    return *(const four_anywhere *)from;
}

/* Four numbers from each of LANES / 4 places that are `step` apart. From the compiler's own
 * shuffles gcc makes shuffles of registers, of which a processor starts only one in a cycle. */
KERNEL_INLINE vec vec_load_fours(const float *from, ptrdiff_t step)
{
#if KERNEL_LANES == 16
    vec x = _mm512_castps128_ps512(four_load(from));
    x = _mm512_insertf32x4(x, four_load(from + step), 1);
    x = _mm512_insertf32x4(x, four_load(from + 2 * step), 2);
    return _mm512_insertf32x4(x, four_load(from + 3 * step), 3);
#elif KERNEL_LANES == 8
    return _mm256_insertf128_ps(_mm256_castps128_ps256(four_load(from)), four_load(from + step), 1);
#else
    (void)step;
    return four_load(from);
#endif
}

/* Four rows of `to`, LANES numbers each, from columns that are dense in memory: row p holds
 * from[j * column + p], j counting up. */
KERNEL_INLINE void pack_four_rows(const float *from, ptrdiff_t column, float *to, size_t width)
{
    vec rows[4];
    for (unsigned r = 0; r < 4; r++)
        rows[r] = vec_load_fours(from + r * column, 4 * column);
    vec a = __builtin_shufflevector(rows[0], rows[1], FOURS_LOW);
    vec b = __builtin_shufflevector(rows[0], rows[1], FOURS_HIGH);
    vec c = __builtin_shufflevector(rows[2], rows[3], FOURS_LOW);
    vec d = __builtin_shufflevector(rows[2], rows[3], FOURS_HIGH);
    vec_store(to, __builtin_shufflevector(a, c, PAIRS_LOW));
    vec_store(to + width, __builtin_shufflevector(a, c, PAIRS_HIGH));
    vec_store(to + 2 * width, __builtin_shufflevector(b, d, PAIRS_LOW));
    vec_store(to + 3 * width, __builtin_shufflevector(b, d, PAIRS_HIGH));
}

KERNEL_INLINE void pack_number_by_number(const float *from, ptrdiff_t row, ptrdiff_t column,
                                         size_t n_rows, size_t n_columns, float *to, size_t width)
{
    for (size_t p = 0; p < n_rows; p++)
        for (size_t j = 0; j < n_columns; j++)
            to[p * width + j] = from[(ptrdiff_t)p * row + (ptrdiff_t)j * column];
}

/* A call of memcpy() would cost more than the few vectors of a panel's row. */
KERNEL_INLINE void copy_row(const float *from, size_t n, float *to)
{
    size_t whole = n / KERNEL_LANES * KERNEL_LANES;
    for (size_t j = 0; j < whole; j += KERNEL_LANES)
        vec_store(to + j, vec_load(from + j));
    memcpy(to + whole, from + whole, (n - whole) * sizeof *to);
}

/* to (n_rows, n_columns), rows `width` apart, = from with its strides. */
static inline void copy_strided(const float *from, ptrdiff_t row, ptrdiff_t column, size_t n_rows,
                                size_t n_columns, float *to, size_t width)
{
    if (column == 1) {
        for (size_t p = 0; p < n_rows; p++)
            copy_row(from + (ptrdiff_t)p * row, n_columns, to + p * width);
        return;
    }
    size_t turned_p = row == 1 ? n_rows / 4 * 4 : 0;
    size_t turned_j = row == 1 ? n_columns / KERNEL_LANES * KERNEL_LANES : 0;
    for (size_t j = 0; j < turned_j; j += KERNEL_LANES)
        for (size_t p = 0; p < turned_p; p += 4)
            pack_four_rows(from + p + (ptrdiff_t)j * column, column, to + p * width + j, width);
    /* the columns that remain on the right, and the rows that remain below */
    pack_number_by_number(from + (ptrdiff_t)turned_j * column, row, column, turned_p,
                          n_columns - turned_j, to + turned_j, width);
    pack_number_by_number(from + (ptrdiff_t)turned_p * row, row, column, n_rows - turned_p,
                          n_columns, to + turned_p * width, width);
}

/* The same with whole rows of `width`: the columns from n_columns on, less than a vector, become
 * 0. */
static inline void pack_rows(const float *from, ptrdiff_t row, ptrdiff_t column, size_t n_rows,
                             size_t n_columns, float *to, size_t width)
{
    if (width > n_columns)
        for (size_t p = 0; p < n_rows; p++)
            memset(to + p * width + n_columns, 0, (width - n_columns) * sizeof *to);
    copy_strided(from, row, column, n_rows, n_columns, to, width);
}

#endif
