/* The clipboard of whoever sits at the terminal, also through ssh: OSC 52, which most terminals
 * take (in tmux with `set -g set-clipboard on`). Source: XTerm Control Sequences, "Manipulate
 * Selection Data". */
#ifndef ATTN_UI_TERMINAL_CLIPBOARD_H
#define ATTN_UI_TERMINAL_CLIPBOARD_H

#include "base/error.h"
#include "base/text.h"

/* Bytes that are copied at once: 100000 characters of base64, which is where terminals begin to
 * drop the whole. */
enum { CLIPBOARD_MAX_BYTES = 75000 };

/* Adds the sequence that puts bytes into the clipboard. ERR_LIMIT where they are too many. */
bool clipboard_write(const char *bytes, size_t size, struct text *ret, struct error *reterr);

#endif
