/* A square matrix of weights, drawn so small that many fit side by side. */
#ifndef ATTN_SHOW_THUMBNAIL_H
#define ATTN_SHOW_THUMBNAIL_H

#include "show/matrix.h"

/* How an n x n matrix is drawn: n_cells x n_cells cells, all of one size. A cell stands for one
 * number or, if there are fewer cells than numbers, for several neighbours, equally many in rows
 * and columns, so that a diagonal looks straight. */
struct thumbnail {
    size_t n, n_cells; /* n_cells <= n */
    size_t cell_cols;  /* columns of the screen that a cell takes */
    size_t cell_rows;  /* and rows: thumbnail_rows_each() of them make a line of text */
    bool is_causal;    /* cells right of the diagonal are hidden by a mask: they get no colour */
    bool is_signed;    /* the numbers are from -1 to 1, else weights from 0 to 1 */
};

/* The largest drawing of an n x n matrix, n > 0, in cols columns and rows rows (both at least 1) in
 * which cells are about square: whole multiples of one cell for each number, or else as many cells
 * as fit. is_causal and is_signed are false. */
struct thumbnail thumbnail_fit(size_t n, size_t cols, size_t rows,
                               const struct show_options *options);
/* How many rows of a drawing a line of text has: 2 with half blocks, else 1. */
size_t thumbnail_rows_each(const struct show_options *options);
size_t thumbnail_cols(const struct thumbnail *thumbnail);
/* The lines of text; with half blocks, the lower half of the last one may be blank. */
size_t thumbnail_lines(const struct thumbnail *thumbnail, const struct show_options *options);

/* The tints of the n_cells x n_cells cells that stand for the n x n numbers at x, row-major. The
 * tint of a weight is its root, so that small weights are visible; of several weights the largest
 * counts, so that a line of single weights does not fade. A value outside 0 to 1 counts as the
 * nearer of the two. Of signed numbers the largest by size counts, and its tint is one of both
 * signs, counted from TINT_SIGNED. A hidden cell is TINT_NONE. */
void thumbnail_shrink(const struct thumbnail *thumbnail, const float *x, int16_t *ret_tints);
/* Adds line number `line` to the open line: thumbnail_cols() wide. Lines after the last are
 * blank. */
void thumbnail_put_line(struct doc *doc, const struct thumbnail *thumbnail, const int16_t *tints,
                        size_t line, const struct show_options *options);

#endif
