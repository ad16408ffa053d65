/* The clipboard of the person at the terminal, also through ssh: OSC 52, which most terminals
 * accept (tmux with `set -g set-clipboard on`). Source: XTerm Control Sequences, "Manipulate
 * Selection Data". */
#ifndef ATTN_UI_TERMINAL_CLIPBOARD_H
#define ATTN_UI_TERMINAL_CLIPBOARD_H

#include "base/error.h"
#include "base/text.h"

/* The most bytes to copy at once: 100000 characters of base64; from there on terminals begin to
 * drop everything. */
enum { CLIPBOARD_MAX_BYTES = 75000 };

/* Adds the sequence that puts bytes into the clipboard. ERR_LIMIT if there are too many. */
bool clipboard_write(const char *bytes, size_t size, struct text *ret, struct error *reterr);

#endif
