/* The cells of heatmaps: what one number, or the mean of several, looks like. */
#ifndef ATTN_SHOW_HEAT_CELL_H
#define ATTN_SHOW_HEAT_CELL_H

#include "show/grid.h"
#include "show/number.h"

enum {
    HEAT_GAP = 2,        /* columns between headings and cells, and between cells with shades */
    HEAT_BLOCK_COLS = 2, /* a block of two columns is about square */
    HEAT_TINTS = 256,
};

enum cells {
    CELLS_NUMBERS, /* the number on its tint, or after its shade */
    CELLS_BLOCKS,  /* two columns wide, without the number */
    CELLS_SMALL,   /* one column wide; two rows a line with tints, one with shades */
};

/* What all tables of a picture share. */
struct heat {
    struct number_range range;
    struct number_style style;
    bool is_vector;
    bool shades; /* characters stand for the tints */
    enum cells cells;
    size_t head_cols;            /* columns of the row headings and the gap; 0 without headings */
    size_t number_cols;          /* the widest number */
    size_t cell_cols;            /* columns from one cell to the next */
    size_t n_rows, n_cols;       /* drawn cells */
    size_t rows_each, cols_each; /* numbers in a drawn cell, which shows their mean; the last drawn
                                  * row or column may stand for fewer */
};

/* "<", ">" and "?" stand for -inf, inf and NaN, which have no tint. They are no shades. */
char heat_sign(float x);
/* How many shades there are, and the one that stands for a tint: fuller the higher. */
int heat_shades(bool ascii);
const char *heat_shade(int tint, bool ascii);
/* True when a drawn cell stands for several numbers. */
bool heat_is_averaged(const struct heat *heat);
/* Adds drawn cell [row, col] of the grid, with row + 1 too where two rows share a line. */
void heat_draw_cell(struct doc *doc, const struct heat *heat, const struct grid *grid, size_t row,
                    size_t col, bool ascii);

#endif
