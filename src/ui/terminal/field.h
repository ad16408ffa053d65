/* A short line that is typed, with a cursor: a search, an answer, a name. */
#ifndef ATTN_UI_TERMINAL_FIELD_H
#define ATTN_UI_TERMINAL_FIELD_H

#include "ui/terminal/canvas.h"

enum { FIELD_BYTES = 512 };

struct field {
    char text[FIELD_BYTES]; /* UTF-8, printable */
    size_t size, cursor;    /* in bytes; the cursor stands before a letter, not before its marks */
};

enum field_change {
    FIELD_IGNORED, /* the key does not edit */
    FIELD_KEPT,    /* taken; the text is as it was */
    FIELD_CHANGED,
};

/* Does what edit_of_key() says; what finds no room is not typed. */
enum field_change field_key(struct field *field, int key);
/* In one row, moved left so far that the cursor is seen. quiet: what stands there while it is
 * empty. */
void field_draw(const struct field *field, struct area area, const char *quiet, bool focused);

#endif
