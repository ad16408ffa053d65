/* A screen in memory, on which the panes draw. Only terminal.c puts it on a terminal, so that all
 * drawing can be tested without one.
 *
 * Panes draw on areas: rectangles of a canvas with their own coordinates, at whose edges everything
 * is cut. The look of a cell is given by role (show/doc.h's styles) and tints; the theme turns them
 * into colours. */
#ifndef ATTN_UI_TERMINAL_CANVAS_H
#define ATTN_UI_TERMINAL_CANVAS_H

#include "show/doc.h"

enum { CANVAS_CELL_BYTES = 20, CANVAS_MAX_ROWS = 1000, CANVAS_MAX_COLS = 1000 };

/* Marks that are visible without colours too. */
enum canvas_mark {
    MARK_BOLD = 1,
    MARK_UNDERLINE = 2,
    MARK_REVERSE = 4, /* the cursor, and the chosen row */
    MARK_DIM = 8,
};

/* Small, as a screen has thousands: the memory of a screen is what its first frame waits for. */
struct canvas_look {
    uint8_t style; /* an enum style */
    uint8_t marks;
    int16_t front, back; /* tints, or TINT_NONE */
};

struct canvas_cell {
    char bytes[CANVAS_CELL_BYTES]; /* one character with its combining marks, NUL-terminated; "" in
                                    * the second column of a wide one */
    uint8_t cols;                  /* 1, 2, or 0 for that second column */
    struct canvas_look look;
};

struct canvas {
    int rows, cols;
    struct canvas_cell *cells;  /* [rows][cols] */
    int cursor_row, cursor_col; /* of the terminal's cursor; -1: hidden */
};

/* Sets its size and empties it. canvas may be all zero bytes. False without memory and beyond the
 * limits; it is 0 by 0 then. */
bool canvas_resize(struct canvas *canvas, int rows, int cols);
void canvas_clear(struct canvas *canvas); /* blanks, no cursor */
void canvas_release(struct canvas *canvas);

struct area {
    struct canvas *canvas;
    int row, col, rows, cols; /* on the canvas; rows and cols may be 0 */
};

/* The whole canvas. */
struct area canvas_area(struct canvas *canvas);
/* A part of an area, cut at its edges. */
struct area area_part(struct area area, int row, int col, int rows, int cols);
/* Plain text of a style. */
struct canvas_look look_of(enum style style);
struct canvas_look look_marked(enum style style, unsigned marks);
/* Writes text from a place on and returns the column after it, which may lie outside. Characters
 * that are not printable become '?'; a wide letter of which only half fits becomes a blank, and so
 * does one of which a half is overwritten. Marks go to the letter before them in the same text, up
 * to four; characters without a column that are not marks (joiners, variation selectors) are left
 * out, since terminals do not agree on their width. */
int area_put(struct area area, int row, int col, struct canvas_look look, const char *bytes,
             size_t size);
int area_text(struct area area, int row, int col, struct canvas_look look, const char *text);
int area_format(struct area area, int row, int col, struct canvas_look look, const char *format,
                ...) ERROR_FORMAT(5, 6);
/* Adds marks to cells that are already drawn. */
void area_mark(struct area area, int row, int col, int cols, unsigned marks);
/* Puts a number that is drawn in cells [col, col + cols) in brackets, "[0.16]", if there are blanks
 * around it or after it; two cells become "[]", one becomes "X". Their tints stay. */
void area_bracket(struct area area, int row, int col, int cols, unsigned marks);
/* Puts a bracket at both ends of each row of a block that is drawn at [row, row + rows) and [col,
 * col + cols); after the block if it ends with a letter and blanks follow. Its tints stay. */
void area_bracket_block(struct area area, int row, int col, int rows, int cols, unsigned marks);
/* Marks the cells as the chosen row: reversed, and of one colour throughout. */
void area_choose(struct area area, int row, int col, int cols);
void area_fill(struct area area, struct canvas_look look); /* with blanks */
/* A line from column to column, or from row to row; ascii: - and |. */
void area_rule_across(struct area area, int row, bool ascii);
void area_rule_down(struct area area, int col, bool ascii);
void area_cursor(struct area area, int row, int col); /* places the terminal's cursor */
/* Draws a typed line, text[0..size), in the area's first row: scrolled left so far that byte
 * `cursor` is visible, and with the terminal's cursor on it if it is focused. */
void area_typed_line(struct area area, const char *text, size_t size, size_t cursor, bool focused);

/* Draws lines [first, first + area.rows) of a Doc, cut at both sides, from column first_col on.
 * Cells that the lines do not reach stay as they are. */
void area_doc(struct area area, const struct doc *doc, size_t first, size_t first_col);
/* The area without the empty rows and columns at its edges; empty if nothing is drawn on it. */
struct area area_cropped(struct area area);
/* Adds the content of an area to a Doc: a line for each row, without blanks at its end, and without
 * empty rows below; with styles and tints, and reversed cells as a title. The other marks are
 * lost. */
void area_to_doc(struct area area, struct doc *doc);
/* The place where a Doc shows a cell of a tensor: its line and the columns [*ret_col, *ret_end).
 * False if it does not show it. */
bool doc_find_cell(const struct doc *doc, struct cell_ref cell, size_t *ret_line, size_t *ret_col,
                   size_t *ret_end);
/* The same in one line. */
bool doc_find_cell_in_line(const struct doc *doc, size_t line, struct cell_ref cell,
                           size_t *ret_col, size_t *ret_end);
/* The cell that a Doc shows at a line and column. False if it shows no cell there. */
bool doc_cell_at(const struct doc *doc, size_t line, size_t col, struct cell_ref *ret);
/* Draws a border around an area, with a title on it. Clears the area and returns the part inside
 * the border. */
struct area area_frame(struct area area, const char *title, bool ascii);

#endif
