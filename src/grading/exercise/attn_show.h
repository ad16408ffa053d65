/* Looking inside your own program: attn's verdict shows what you SHOW, beside attn's own numbers if
 * it has the same.
 *
 *     #include "attn_show.h"
 *     SHOW(scores, n_q, n_k);   a matrix, row by row
 *     SHOW(total, n);           n numbers in a row
 *     SHOW(top);                one number
 *
 * The numbers are float, double, bool, int or size_t. attn keeps the first 16 that you show, and at
 * most 64 rows and columns of each. When your file is graded for points, SHOW does nothing. With a
 * main() and a compiler of your own it prints to standard error. */
#ifndef ATTN_SHOW_H
#define ATTN_SHOW_H

#include <stdbool.h>
#include <stddef.h>

#define SHOW(...) \
    ATTN_SHOW_OF(__VA_ARGS__, ATTN_SHOW_MATRIX, ATTN_SHOW_ROW, ATTN_SHOW_NUMBER, none)(__VA_ARGS__)
#define ATTN_SHOW_OF(a, b, c, name, ...) name

#ifdef ATTN_SHOW_NOTHING
/* The numbers are named, so that the compiler reports nothing as unused, but not read. */
#define ATTN_SHOW_NUMBER(x) ((void)sizeof(((void)(x), 0)))
#define ATTN_SHOW_ROW(x, n) ((void)sizeof(((void)(x), (void)(n), 0)))
#define ATTN_SHOW_MATRIX(x, rows, cols) ((void)sizeof(((void)(x), (void)(rows), (void)(cols), 0)))
#else

#define ATTN_SHOW_KIND(x) \
    _Generic(&(x)[0],            \
        float *: 'f',            \
        const float *: 'f',      \
        double *: 'd',           \
        const double *: 'd',     \
        bool *: 'b',             \
        const bool *: 'b',       \
        int *: 'i',              \
        const int *: 'i',        \
        size_t *: 'z',           \
        const size_t *: 'z')
#define ATTN_SHOW_NUMBER(x) attn_show_number(#x, (double)(x))
#define ATTN_SHOW_ROW(x, n) attn_show_cells(#x, (x), ATTN_SHOW_KIND(x), 1, 1, (n))
#define ATTN_SHOW_MATRIX(x, rows, cols) \
    attn_show_cells(#x, (x), ATTN_SHOW_KIND(x), 2, (rows), (cols))

#ifdef ATTN_SHOW_TO_RUNNER
void attn_show_cells(const char *name, const void *cells, int kind, int axes, size_t rows,
                     size_t cols);
#else
#include <stdio.h>

static inline double attn_show_cell(const void *cells, int kind, size_t i)
{
    return kind == 'f'   ? (double)((const float *)cells)[i]
           : kind == 'd' ? ((const double *)cells)[i]
           : kind == 'b' ? (double)((const bool *)cells)[i]
           : kind == 'i' ? (double)((const int *)cells)[i]
                         : (double)((const size_t *)cells)[i];
}

static inline void attn_show_cells(const char *name, const void *cells, int kind, int axes,
                                   size_t rows, size_t cols)
{
    if (axes == 0)
        fprintf(stderr, "%s = %g\n", name, attn_show_cell(cells, kind, 0));
    else if (axes == 1)
        fprintf(stderr, "%s  %zu\n", name, cols);
    else
        fprintf(stderr, "%s  %zux%zu\n", name, rows, cols);
    for (size_t i = 0; cells != NULL && axes > 0 && i < rows && i < 64; i++) {
        for (size_t j = 0; j < cols && j < 64; j++)
            fprintf(stderr, " %9.4g", attn_show_cell(cells, kind, i * cols + j));
        fprintf(stderr, "%s\n", cols > 64 ? " ..." : "");
    }
}
#endif

static inline void attn_show_number(const char *name, double number)
{
    attn_show_cells(name, &number, 'd', 0, 1, 1);
}
#endif
#endif
