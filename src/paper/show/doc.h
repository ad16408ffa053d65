/* Doc: everything that attn shows. It has lines of styled spans, and a span may point at a cell of
 * a tensor.
 *
 * Content is written once, by role and not by colour; small back ends (backend.h, and the screen)
 * show it to a person. A Doc owns its text until doc_release(). A failed allocation is remembered
 * in `failed` and makes later additions do nothing, so that writers check once at the end. */
#ifndef ATTN_SHOW_DOC_H
#define ATTN_SHOW_DOC_H

#include <stdint.h>

#include "base/text.h"

enum style {
    STYLE_PLAIN,
    STYLE_TITLE,   /* headings and names of stages */
    STYLE_LABEL,   /* row and column labels */
    STYLE_NUMBER,  /* computed numbers */
    STYLE_NAME,    /* variables and functions in formulas */
    STYLE_QUIET,   /* less important: shapes, legends, counts of hidden rows */
    STYLE_CHANGED, /* a number that differs from before; also marked by a sign in the text */
    STYLE_GOOD,
    STYLE_BAD,  /* errors and the place of an error */
    STYLE_NOTE, /* things worth knowing that are not errors */
    STYLE_COUNT
};

/* Tints run from 0 (lowest) to 255 (highest) along a palette. Tints of numbers of both signs run
 * from TINT_SIGNED, far below 0, over about 0 in the middle to the last, far above it. */
enum { TINT_NONE = -1, TINT_SIGNED = 256, TINT_COUNT = 512 };

struct cell_ref {
    uint64_t tensor; /* id of the tensor that holds the number; 0: the span points at no cell */
    size_t position; /* row-major position in it */
};

struct span {
    size_t begin, end; /* bytes [begin, end) of the Doc's text; never holds a newline */
    enum style style;
    int16_t front, back; /* tints of the letters and of their background, or TINT_NONE */
    struct cell_ref cell;
};

struct doc {
    struct text text;
    struct span *spans;
    size_t n_spans, spans_capacity;
    size_t *line_ends; /* line i holds the spans from line i-1's end up to line_ends[i] */
    size_t n_lines,
        lines_capacity; /* finished lines; spans after the last belong to an open line */
    bool failed;
};

void doc_init(struct doc *doc);
void doc_release(struct doc *doc);
void doc_clear(struct doc *doc); /* empties it and keeps the memory */

/* Adds text to the open line. A newline in it ends the line; other control characters become '?'.
 */
void doc_add(struct doc *doc, enum style style, const char *format, ...) ERROR_FORMAT(3, 4);
void doc_put(struct doc *doc, enum style style, const char *bytes, size_t size);
/* Adds one span with tints and a cell. */
void doc_put_span(struct doc *doc, const char *bytes, size_t size, struct span look);
/* Ends the open line, which may be empty. */
void doc_end_line(struct doc *doc);
/* Adds one whole line; finishes an open line first. */
void doc_line(struct doc *doc, enum style style, const char *format, ...) ERROR_FORMAT(3, 4);
/* Lines of words, none wider than width_cols unless a word alone is, each moved right by
 * indent_cols; a newline in the text ends a line too. */
void doc_wrap(struct doc *doc, enum style style, const char *text, size_t width_cols,
              size_t indent_cols);

/* Counts the lines, including an open one. */
size_t doc_count_lines(const struct doc *doc);
/* Spans of line i < n_lines, or of the open line if i is n_lines: *ret_first and the count. */
size_t doc_line_spans(const struct doc *doc, size_t line, const struct span **ret_first);
/* Columns of a line, which may be the open one; columns of the widest line. */
size_t doc_line_width(const struct doc *doc, size_t line);
size_t doc_width(const struct doc *doc);

/* Adds all lines of `from` below, each moved right by indent_cols columns. */
void doc_append(struct doc *doc, const struct doc *from, size_t indent_cols);
/* The same with only the first n lines, or all if there are fewer. */
void doc_append_lines(struct doc *doc, const struct doc *from, size_t n, size_t indent_cols);
/* As doc_append(), but a line wider than cols columns is broken at blanks and goes on below, four
 * columns further right than it begins. A single word that is wider stays whole. */
void doc_append_broken(struct doc *doc, const struct doc *from, size_t cols);
/* Adds the lines of left and right side by side, gap_cols columns apart, tops aligned. */
void doc_append_beside(struct doc *doc, const struct doc *left, const struct doc *right,
                       size_t gap_cols);

/* ERR_MEMORY when the Doc is incomplete, else true. */
bool doc_check(const struct doc *doc, struct error *reterr);

#endif
