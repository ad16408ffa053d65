/* A short line of typing, with a cursor: a search, an answer, a name. */
#ifndef ATTN_UI_TERMINAL_FIELD_H
#define ATTN_UI_TERMINAL_FIELD_H

#include "ui/terminal/canvas.h"

enum { FIELD_BYTES = 16384 };

struct field {
    char text[FIELD_BYTES]; /* UTF-8, printable */
    size_t size, cursor;    /* in bytes; the cursor is before a letter, not before its marks */
    bool is_chosen; /* the whole text is chosen: typing replaces it; any other key keeps it */
    bool is_full;   /* the last key found no room; the field says so when it is drawn */
};

enum field_change {
    FIELD_IGNORED, /* the key does not edit */
    FIELD_KEPT,    /* taken; the text did not change */
    FIELD_CHANGED,
};

/* Replaces bytes [begin, cursor) by size bytes of printable UTF-8, and puts the cursor after them.
 * False if they don't fit: the text stays unchanged, and the field is full until the next key. */
bool field_replace(struct field *field, size_t begin, const char *bytes, size_t size);
/* Empties it, as Esc does. False if nothing was typed: it is empty, or its whole text is chosen. */
bool field_clear(struct field *field);
/* Applies edit_of_key(); text that does not fit is not typed, as in field_replace(). */
enum field_change field_key(struct field *field, int key);
/* The rows that it takes if its words are wrapped at cols columns; at least 1. */
size_t field_rows(const struct field *field, size_t cols);
/* Moves the cursor a row up or down in those rows; false at their ends. */
bool field_step_row(struct field *field, size_t cols, int by);
/* Draws it in the rows of the area, wrapped; if it has more rows, those around the cursor. Bytes
 * [mark, mark_end) are underlined. */
void field_draw_wrapped(const struct field *field, struct area area, enum style style, size_t mark,
                        size_t mark_end, bool focused);
/* Replaces the text by text[0..size), as far as it fits, with the cursor at its end. */
void field_set(struct field *field, const char *text, size_t size);
/* Marks bytes [begin, end) of the text that field_draw_wrapped() drew in the area as an error:
 * underlined too. */
void field_mark_wrapped(const struct field *field, struct area area, size_t begin, size_t end);
/* Draws it in one row, scrolled left so far that the cursor is visible. quiet: shown while it is
 * empty. */
void field_draw(const struct field *field, struct area area, const char *quiet, bool focused);

#endif
