/* Tensors as labelled tables and bars; heat.h draws them as heatmaps. */
#ifndef ATTN_SHOW_MATRIX_H
#define ATTN_SHOW_MATRIX_H

#include "show/doc.h"

struct labels;
struct tensor;

/* A tensor with all that a table shows of it: its numbers, the names along its axes, its title and
 * id. Borrowed, only read. */
struct picture {
    const struct tensor *tensor;
    struct labels *const *labels; /* [n_axes], entries may be NULL; or NULL for no labels at all */
    const char *title;            /* or NULL */
    uint64_t id;                  /* for cell_ref.tensor; 0: spans point at no cell */
    const struct tensor *before;  /* same shape, or NULL: cells that differ from it are marked '*'
                                   * and styled STYLE_CHANGED (NaN equals NaN here) */
    const struct tensor *hidden;  /* booleans, same shape, or NULL: true where a mask hides a cell;
                                   * heatmaps give it no colour, tables show a middle dot for its 0
                                   * ('/' in ascii), bars the same dot and no bar */
};

struct show_options {
    size_t width_cols;  /* the width for the lines; at least 20 is assumed */
    size_t extra_lines; /* lines that a picture may take beyond the usual: the cells of heatmaps,
                         * bars and charts grow to fill them, and the width; 0: the usual size */
    int digits;         /* decimals, 1 to 9 */
    bool shows_tiny;    /* of struct number_style */
    bool full;   /* show every row and column (columns in blocks as wide as fits), else elide */
    bool ascii;  /* no character outside ASCII */
    bool colour; /* the back end will paint tints; else heatmaps use shade characters */
};

/* Numbers aligned, with row and column labels if there are any, else with quiet positions. A single
 * number is one line; a vector is one row under its labels; more than two axes are one table for
 * each leading index, under a line such as [0, 1, :, :]. Without `full`, the middle columns are
 * elided to fit the width, the middle rows beyond 20 and the middle tables beyond 6, with the
 * number of hidden ones. Up to 6 rows and columns need no positions. A tensor without numbers is
 * "[]" with its shape. Labels are cut to 12 columns. */
void matrix_show(struct doc *doc, const struct picture *picture,
                 const struct show_options *options);

/* "· hidden: weight 0", on a line of its own, if a table or bars of the picture show a dot for a
 * 0. */
void hidden_note_show(struct doc *doc, const struct picture *picture,
                      const struct show_options *options);

/* A horizontal bar for each number of a vector, or for each cell of each row of a matrix (rows
 * under their label), with the label and the number; negative numbers go left of a common zero. */
void bars_show(struct doc *doc, const struct picture *picture, const struct show_options *options);

#endif
