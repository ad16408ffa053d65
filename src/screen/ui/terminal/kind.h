/* The kind of terminal, which decides the description (terminfo) to use. */
#ifndef ATTN_UI_TERMINAL_KIND_H
#define ATTN_UI_TERMINAL_KIND_H

#include <stdbool.h>

/* The description of this terminal. */
struct terminal_kind {
    bool is_found;
    char name[64];            /* TERM's value; "" if it only shows lines */
    const char *described_as; /* the description that is used, of its own name or of a similar
                               * terminal; NULL: none was found */
};
/* Finds the description of the terminal that TERM names. If this machine has none of that name,
 * uses that of a similar terminal ("xterm-256color" for "xterm-ghostty") and sets TERM to it, for
 * readline and child processes. The first call decides. */
const struct terminal_kind *terminal_find_kind(void);

#endif
