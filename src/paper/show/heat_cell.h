/* The cells of heatmaps: the look of one number, or of the mean of several. */
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

/* Facts about the numbers of a row, a tensor, or several. */
struct heat_range {
    double lowest, highest; /* of the finite numbers that are not hidden; 0 without such numbers */
    size_t n_finite, n_hidden, n_inf, n_nan; /* hidden numbers count only as hidden */
    bool hides_finite;                       /* a hidden number is not -inf */
};

/* The numbers that the two ends of the tints mean. Equal: every number has one tint. */
struct heat_ends {
    double lowest, highest;
};

/* Settings that all tables of a picture share. */
struct heat {
    enum heat_scale scale; /* not HEAT_AUTO */
    struct heat_range range;
    struct heat_ends ends[2]; /* of the current row, and of the one below it on its line */
    bool is_weights;
    size_t n_rows_all, n_rows_even; /* rows of two numbers or more; those that are nearly even */
    struct number_style style;
    size_t heading_lines; /* see heat_options */
    bool is_vector;
    bool shades;   /* characters stand for the tints */
    bool is_tight; /* one shade before a number instead of two, and less space */
    enum cells cells;
    size_t head_cols;            /* columns of the row headings and the gap; 0 without headings */
    size_t number_cols;          /* the widest number */
    size_t cell_cols;            /* columns from one cell to the next */
    size_t added_cols;           /* those by which the cell was widened: tint alone */
    size_t left_cols;            /* those of the added columns that are left of its number */
    size_t lines_each;           /* lines of a cell; its number or sign is on the middle one */
    size_t n_rows, n_cols;       /* drawn cells */
    size_t rows_each, cols_each; /* numbers in a drawn cell, which shows their mean; the last drawn
                                  * row or column may have fewer */
};

/* The sign of a hidden number: one column, and no shade. */
const char *heat_hidden_sign(bool ascii);
/* ">" for inf and "?" for NaN, which have no tint either. */
char heat_sign(float x);
/* The facts about the numbers in a row of drawn cells. */
struct heat_range heat_range_of_row(const struct heat *heat, const struct grid *grid, size_t row);
void heat_range_add(struct heat_range *range, const struct heat_range *more);
/* The number of shades, and the shade for a tint: fuller the higher. */
int heat_shades(bool ascii);
const char *heat_shade(int tint, bool ascii);
/* The sign for tint TINT_SIGNED + `tint`: "=" and "-" below 0, "+" and "#" above. */
const char *heat_change_sign(int tint);
/* Columns of shades before a number, and between cells with shades. */
size_t heat_shade_cols(const struct heat *heat);
size_t heat_gap(const struct heat *heat);
/* True if a drawn cell shows the mean of several numbers. */
bool heat_is_averaged(const struct heat *heat);
/* Adds a line of drawn cell [row, col] of the grid, with row + 1 too if two rows share a line: the
 * middle line shows its number or sign, the lines above and below only its tint or shade. */
void heat_draw_cell(struct doc *doc, const struct heat *heat, const struct grid *grid, size_t row,
                    size_t col, bool is_middle, bool ascii);

#endif
