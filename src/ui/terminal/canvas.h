/* A screen in memory: what the panes draw on. Only terminal.c puts it on a terminal, so that all
 * that is drawn can be tested without one.
 *
 * Panes draw on areas: rectangles of a canvas with coordinates of their own, at whose edges
 * everything is cut. What a cell looks like is said by role (show/doc.h's styles) and tints; the
 * theme makes colours of them. */
#ifndef ATTN_UI_TERMINAL_CANVAS_H
#define ATTN_UI_TERMINAL_CANVAS_H

#include "show/doc.h"

enum { CANVAS_CELL_BYTES = 20, CANVAS_MAX_ROWS = 1000, CANVAS_MAX_COLS = 1000 };

/* Marks that are seen without colours too. */
enum canvas_mark {
    MARK_BOLD = 1,
    MARK_UNDERLINE = 2,
    MARK_REVERSE = 4, /* the cursor, and what is chosen */
    MARK_DIM = 8,
};

struct canvas_look {
    enum style style;
    int16_t front, back; /* tints, or TINT_NONE */
    uint8_t marks;
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
    int cursor_row, cursor_col; /* where the terminal's cursor stands; -1: hidden */
};

/* Empties it and makes it so large. canvas may be all zero bytes. False without memory and beyond
 * the limits: then it is 0 by 0. */
bool canvas_resize(struct canvas *canvas, int rows, int cols);
void canvas_clear(struct canvas *canvas); /* blanks, no cursor */
void canvas_release(struct canvas *canvas);

struct area {
    struct canvas *canvas;
    int row, col, rows, cols; /* on the canvas; rows and cols may be 0 */
};

/* All of it. */
struct area canvas_area(struct canvas *canvas);
/* A part of an area, cut at its edges. */
struct area area_part(struct area area, int row, int col, int rows, int cols);
/* Plain text of a style. */
struct canvas_look look_of(enum style style);
struct canvas_look look_marked(enum style style, unsigned marks);
/* Writes text from a place on and returns the column after it, which may lie outside. What is not
 * printable becomes '?'; a wide letter that fits only half becomes a blank, and so does one of
 * which a half is written over. Marks go to the letter before them in the same text, up to four;
 * what takes no column and is no mark (joiners, variation selectors) is left out, since terminals
 * do not agree on its width. */
int area_put(struct area area, int row, int col, struct canvas_look look, const char *bytes,
             size_t size);
int area_text(struct area area, int row, int col, struct canvas_look look, const char *text);
int area_format(struct area area, int row, int col, struct canvas_look look, const char *format,
                ...) ERROR_FORMAT(5, 6);
/* Adds marks to cells that are drawn already. */
void area_mark(struct area area, int row, int col, int cols, unsigned marks);
/* Puts a number that is drawn in cells [col, col + cols) in brackets, "[0.16]", where blanks are
 * around it or after it; two cells become "[]", one becomes "X". Their tints stay. */
void area_bracket(struct area area, int row, int col, int cols, unsigned marks);
/* Puts a bracket at both ends of each row of a block that is drawn at [row, row + rows) and
 * [col, col + cols); after it where it ends with a letter and blanks follow. Its tints stay. */
void area_bracket_block(struct area area, int row, int col, int rows, int cols, unsigned marks);
/* Makes them a row that is chosen: reversed, and of one colour throughout. */
void area_choose(struct area area, int row, int col, int cols);
void area_fill(struct area area, struct canvas_look look); /* with blanks */
/* A line from column to column, or from row to row; ascii: - and |. */
void area_rule_across(struct area area, int row, bool ascii);
void area_rule_down(struct area area, int col, bool ascii);
void area_cursor(struct area area, int row, int col); /* the terminal's cursor goes there */
/* A line that is typed, text[0..size), in the area's first row: moved left so far that byte
 * `cursor` is seen, and with the terminal's cursor on it where it is focused. */
void area_typed_line(struct area area, const char *text, size_t size, size_t cursor, bool focused);

/* Draws lines [first, first + area.rows) of a Doc, cut at both sides, from column first_col on.
 * What the lines do not reach stays as it is. */
void area_doc(struct area area, const struct doc *doc, size_t first, size_t first_col);
/* The area without the empty rows and columns at its edges; empty where nothing is drawn on it. */
struct area area_cropped(struct area area);
/* What is drawn on an area as a Doc: a line for each row, without blanks at its end, and without
 * empty rows below; styles and tints, and what is reversed as a title. The other marks are lost. */
void area_to_doc(struct area area, struct doc *doc);
/* Where a Doc shows a cell of a tensor: its line and the columns [*ret_col, *ret_end). False where
 * it does not. */
bool doc_find_cell(const struct doc *doc, struct cell_ref cell, size_t *ret_line, size_t *ret_col,
                   size_t *ret_end);
/* The same in one line. */
bool doc_find_cell_in_line(const struct doc *doc, size_t line, struct cell_ref cell,
                           size_t *ret_col, size_t *ret_end);
/* The cell that a Doc shows at a line and column. False where it shows no cell. */
bool doc_cell_at(const struct doc *doc, size_t line, size_t col, struct cell_ref *ret);
/* A border around an area, with a title on it. Clears what was there and returns the area inside of
 * it. */
struct area area_frame(struct area area, const char *title, bool ascii);

#endif
