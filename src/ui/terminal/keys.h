/* From the bytes that a terminal sends to keys, clicks and pastes, by ncurses. */
#ifndef ATTN_UI_TERMINAL_KEYS_H
#define ATTN_UI_TERMINAL_KEYS_H

#include <stdint.h>
#include <wchar.h>

#include "ui/terminal/input.h"

struct key_reader {
    mbstate_t character; /* the bytes read so far of one */
    int held;            /* a key that came after an Escape, to be read next; KEYS_NONE: no key */
    bool pastes;         /* between the marks that terminals put around a paste */
    bool after_return;   /* the last key pasted was Enter */
    bool has_read;       /* by the last reading: bytes, which need not make a key */
    int64_t pasted_ms;
    int64_t click_ms; /* the last click, for double ones */
    int click_row, click_col;
};

enum { KEYS_NONE = -1 };

/* Sets ncurses' modes for reading, once it has the terminal. */
void key_reader_init(struct key_reader *reader);
/* One key or click that is there already. False where there is nothing yet. */
bool key_reader_next(struct key_reader *reader, struct input *ret);

#endif
