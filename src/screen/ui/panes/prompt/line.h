/* A line of any length under edit at the prompt, or the rows of a block, with the text that was cut
 * out of it and its undo. */
#ifndef ATTN_UI_PANES_PROMPT_LINE_H
#define ATTN_UI_PANES_PROMPT_LINE_H

#include "base/text.h"

enum {
    LINE_UNDO_STEPS = 100,
    LINE_UNDO_BYTES = 64 * 1024, /* of a longer line no changes can be undone */
};

struct line {
    struct text text; /* UTF-8, rows with a newline between them */
    size_t cursor;    /* in bytes, before a letter */
    struct text cut;  /* for ^Y: what was cut last, a word or more */
    struct line_before {
        char *text;
        size_t cursor;
    } undo[LINE_UNDO_STEPS]; /* what the line was, the oldest first; owned */
    size_t n_undo;
    bool is_typing; /* the last change was a letter, which the next one joins in one undo */
    bool failed;    /* a change found no memory: the line is not what was typed */
};

/* All zero bytes are an empty line. */
void line_release(struct line *line);
/* Does what the key says, in the cursor's row: see edit_of_key(), and ^Y (puts back what was cut)
 * and
 * ^_ (undo). Left, Right, Backspace and Delete go on into the next row; Backspace within a row's
 * indentation takes back a level. False for any other key. */
bool line_key(struct line *line, int key);
/* Inserts size bytes at the cursor. A change that finds no memory does not happen, and is
 * remembered in line->failed. */
void line_insert(struct line *line, const char *bytes, size_t size);
/* Another text in its place, with the cursor before byte `cursor`; there is nothing to undo then.
 */
void line_set(struct line *line, const char *text, size_t cursor);
/* Replaces bytes [begin, cursor). */
void line_replace(struct line *line, size_t begin, const char *bytes, size_t size);

#endif
