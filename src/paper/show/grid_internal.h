/* A picture taken apart into flat tables, for the files that draw them. */
#ifndef ATTN_SHOW_GRID_INTERNAL_H
#define ATTN_SHOW_GRID_INTERNAL_H

#include "show/matrix.h"

enum {
    GRID_LABEL_COLS = 12,    /* columns that a label may take */
    GRID_HEADING_TEXT = 128, /* bytes of a row's or column's heading */
    GRID_SMALL = 6,          /* rows and columns that are counted at a glance */
    GRID_WIDTH_MIN = 20,     /* the width that matrix.h promises to assume at least */
    GRID_COUNT_MAX = 6,      /* tables of one picture shown without `full` */
};

/* One table: the last two axes at one place of the axes before them. A vector is one row, a single
 * number one cell. Borrows from the picture. Not for tensors without numbers. */
struct grid {
    const struct picture *picture;
    const float *data;   /* cell [0, 0] */
    const float *before; /* the same of picture->before, or NULL */
    const float *hidden; /* of picture->hidden, or NULL */
    ptrdiff_t row_step, col_step, before_row_step, before_col_step, hidden_row_step,
        hidden_col_step;
    size_t n_rows, n_cols;
    size_t position; /* row-major position of cell [0, 0] in the whole tensor */
    const struct labels *row_labels, *col_labels; /* NULL: no names */
};

/* Which of n positions are shown: the first `head` and the last `tail`. */
struct elision {
    size_t n, head, tail;
};

/* The heading of a row or column, ready to be aligned. */
struct heading {
    char text[GRID_HEADING_TEXT]; /* printable, NUL-terminated */
    size_t cols;
    enum style style;
};

/* How many tables a picture has. */
size_t grid_count(const struct picture *picture);
/* How many of them are shown with these options. */
size_t grid_count_shown(const struct picture *picture, const struct show_options *options);
/* Table number i of a picture, in row-major order. */
struct grid grid_of(const struct picture *picture, size_t i);

/* The number of a cell, even if it is hidden. */
float grid_number(const struct grid *grid, size_t row, size_t col);
/* A mask hides the cell: the picture says so, or its number is -inf. */
bool grid_is_hidden(const struct grid *grid, size_t row, size_t col);
/* The look of a cell's number: STYLE_CHANGED or STYLE_NUMBER, no tints, its cell_ref. */
struct span grid_look(const struct grid *grid, size_t row, size_t col);

/* At most `most` of n, with the middle left out. */
struct elision elision_of(size_t n, size_t most);
size_t elision_shown(const struct elision *elision);
/* The position shown at place k < elision_shown(). */
size_t elision_at(const struct elision *elision, size_t k);
bool elision_hides(const struct elision *elision);
/* True when the hidden positions lie just before place k. */
bool elision_gap_before(const struct elision *elision, size_t k);

/* "... 24 of 64 rows not shown", a line of its own; `what` is " rows" or "". */
void elision_note(struct doc *doc, const struct elision *elision, const char *what,
                  const struct show_options *options);

/* The label of a row or column, cut to GRID_LABEL_COLS or to a third of the width if that is less,
 * so that numbers have room; or the position without labels. */
struct heading grid_row_heading(const struct grid *grid, size_t row,
                                const struct show_options *options);
struct heading grid_col_heading(const struct grid *grid, size_t col,
                                const struct show_options *options);
/* Cuts a heading to its first letters, as many as take cols_max columns. */
void grid_cut_heading(struct heading *heading, size_t cols_max);
/* The sign for hidden rows and columns, in place of a heading or a number. */
struct heading grid_ellipsis_heading(bool ascii);
/* The position itself. */
struct heading grid_position_heading(size_t i);

/* A name; in ascii with '?' for other characters. */
void grid_add_name(struct text *text, const char *name, bool ascii);
/* A title; with '?' for other characters if only ASCII is allowed. */
void grid_put_title(struct doc *doc, const char *title, const struct show_options *options);
/* The title, cut if it does not fit the line, and the shape after it; nothing without a title. */
void grid_title(struct doc *doc, const struct picture *picture, const struct show_options *options);
/* Shows tensors without numbers, which are not tables. False if it has numbers. */
bool grid_show_empty(struct doc *doc, const struct picture *picture);

/* Draws each table of the picture with draw(), under its place, eliding the middle ones. */
typedef void grid_draw(struct doc *doc, const struct grid *grid, const struct show_options *options,
                       const void *style);
void grid_draw_all(struct doc *doc, const struct picture *picture,
                   const struct show_options *options, grid_draw *draw, const void *style);

/* The width to fill. */
size_t grid_width(const struct show_options *options);
/* One axis: one row, which needs no heading. */
bool grid_is_vector(const struct grid *grid);
/* True if positions are shown when there are no labels. */
bool grid_wants_positions(const struct grid *grid);

/* Spaces, without a style. */
void grid_pad(struct doc *doc, size_t cols);
/* Text of cols columns aligned in a field of field_cols. */
void grid_put_left(struct doc *doc, const struct heading *heading, size_t field_cols);
void grid_put_right(struct doc *doc, const struct heading *heading, size_t field_cols);

#endif
