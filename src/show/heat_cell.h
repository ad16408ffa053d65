/* The cells of heatmaps: what one number, or the mean of several, looks like. */
#ifndef ATTN_SHOW_HEAT_CELL_H
#define ATTN_SHOW_HEAT_CELL_H

#include "show/grid_internal.h"
#include "show/heat.h"
#include "show/number.h"

enum {
    HEAT_GAP = 2,        /* columns between headings and cells */
    HEAT_BLOCK_COLS = 2, /* a block of two columns is about square */
    HEAT_TINTS = 256,
};

enum cells {
    CELLS_NUMBERS, /* the number on its tint, or after its shade */
    CELLS_BLOCKS,  /* two columns wide, without the number */
    CELLS_SMALL,   /* one column wide; two rows a line with tints, one with shades */
};

/* What there is among the numbers of a row, a tensor, or several. */
struct heat_range {
    double lowest, highest; /* of the finite numbers that are not hidden; 0 where there are none */
    size_t n_finite, n_hidden, n_inf, n_nan; /* hidden ones are counted nowhere else */
    bool hides_finite;                       /* a hidden number is not -inf */
};

/* The numbers that the two ends of the tints stand for. Equal: every number has one tint. */
struct heat_ends {
    double lowest, highest;
};

/* What all tables of a picture share. */
struct heat {
    enum heat_scale scale; /* not HEAT_AUTO */
    struct heat_range range;
    struct heat_ends ends[2]; /* of the row that is drawn, and of the one below it on its line */
    bool is_weights;
    size_t n_rows_all, n_rows_even; /* rows of two numbers or more; those that are nearly even */
    struct number_style style;
    size_t heading_lines; /* see heat_options */
    bool is_vector;
    bool shades;   /* characters stand for the tints */
    bool is_tight; /* one shade before a number in place of two, and less space */
    enum cells cells;
    size_t head_cols;            /* columns of the row headings and the gap; 0 without headings */
    size_t number_cols;          /* the widest number */
    size_t cell_cols;            /* columns from one cell to the next */
    size_t added_cols;           /* those of them by which the cell was made wider: tint alone */
    size_t left_cols;            /* those of the added ones that stand left of its number */
    size_t lines_each;           /* lines of a cell; the middle one shows its number or sign */
    size_t n_rows, n_cols;       /* drawn cells */
    size_t rows_each, cols_each; /* numbers in a drawn cell, which shows their mean; the last drawn
                                  * row or column may stand for fewer */
};

/* Stands for what is hidden: one column, and no shade. */
const char *heat_hidden_sign(bool ascii);
/* ">" and "?" stand for inf and NaN, which have no tint either. */
char heat_sign(float x);
/* What there is in the row of drawn cells. */
struct heat_range heat_range_of_row(const struct heat *heat, const struct grid *grid, size_t row);
void heat_range_add(struct heat_range *range, const struct heat_range *more);
/* How many shades there are, and the one that stands for a tint: fuller the higher. */
int heat_shades(bool ascii);
const char *heat_shade(int tint, bool ascii);
/* The sign that stands for tint TINT_SIGNED + `tint`: "=" and "-" below 0, "+" and "#" above. */
const char *heat_change_sign(int tint);
/* Columns of shades before a number, and between cells with shades. */
size_t heat_shade_cols(const struct heat *heat);
size_t heat_gap(const struct heat *heat);
/* True when a drawn cell stands for several numbers. */
bool heat_is_averaged(const struct heat *heat);
/* Adds a line of drawn cell [row, col] of the grid, with row + 1 too where two rows share a line:
 * the middle one shows its number or sign, those above and below it its tint or shade alone. */
void heat_draw_cell(struct doc *doc, const struct heat *heat, const struct grid *grid, size_t row,
                    size_t col, bool is_middle, bool ascii);

#endif
