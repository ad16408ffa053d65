/* A matrix of weights made so small that many stand side by side. */
#ifndef ATTN_SHOW_THUMBNAIL_H
#define ATTN_SHOW_THUMBNAIL_H

#include "show/matrix.h"

/* The tints of rows x cols cells that stand for the n_rows x n_cols weights at x, row-major, 0 to
 * 1: each the root of the largest weight that falls into it, so that a line of single weights does
 * not fade, and small ones are seen. What is not a number from 0 to 1 counts as the nearer of both.
 */
void thumbnail_shrink(const float *x, size_t n_rows, size_t n_cols, size_t rows, size_t cols,
                      uint8_t *ret_tints);
/* The same of numbers from -1 to 1: each cell is the number that is largest by size, its tint of
 * both signs counted from TINT_SIGNED. */
void thumbnail_shrink_signed(const float *x, size_t n_rows, size_t n_cols, size_t rows, size_t cols,
                             uint8_t *ret_tints);
/* How many rows of cells a line of text has: 2 where it is drawn in half blocks, else 1. */
size_t thumbnail_rows_each(const struct show_options *options);
/* Adds line number `line` of a thumbnail to the open line: cols columns wide. Rows beyond the last
 * are blank. first: TINT_SIGNED for tints of both signs, else 0. */
void thumbnail_put_line(struct doc *doc, const uint8_t *tints, int first, size_t rows, size_t cols,
                        size_t line, const struct show_options *options);

#endif
