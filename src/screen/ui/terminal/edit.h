/* The effect of a key on a line of text that is being typed. It only describes the change: the
 * owner of the text makes it. */
#ifndef ATTN_UI_TERMINAL_EDIT_H
#define ATTN_UI_TERMINAL_EDIT_H

#include "ui/terminal/input.h"

enum edit_kind {
    EDIT_NONE,   /* the key does not edit */
    EDIT_MOVE,   /* the cursor goes to begin */
    EDIT_INSERT, /* inserted[0..n_inserted) goes in at begin, and the cursor after it */
    EDIT_CUT, /* bytes [begin, end) are removed, and the cursor goes to begin; they may be empty */
};

struct edit {
    enum edit_kind kind;
    size_t begin, end; /* in bytes; on the borders of letters, never between one and its marks */
    char inserted[KEY_BYTES];
    size_t n_inserted;
    bool is_word_or_more; /* a cut of more than one letter, which ^Y brings back */
};

/* The effect of `key` on text[0..size), which is UTF-8, with the cursor before byte `cursor`. The
 * keys are those of Emacs that readline has too: arrows, Home, End, ^A ^E ^B ^F, Alt-B Alt-F;
 * Backspace, Delete, ^H ^D; ^U the whole line, ^K to its end; ^W to the blank before, Alt-Backspace
 * and Alt-D by words of letters and digits. Printable characters are inserted. */
struct edit edit_of_key(const char *text, size_t size, size_t cursor, int key);

#endif
