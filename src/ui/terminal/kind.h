/* The kind of terminal: by which description (terminfo) it is known. */
#ifndef ATTN_UI_TERMINAL_KIND_H
#define ATTN_UI_TERMINAL_KIND_H

#include <stdbool.h>

/* How this terminal is described. */
struct terminal_kind {
    bool is_found;
    char name[64];            /* as TERM named it; "" where it shows lines only */
    const char *described_as; /* the description that is used, of its own name or of another that
                               * does for it; NULL: there is none */
};
/* Finds the description of the terminal that TERM names. Where this machine has none of that name,
 * that of a similar terminal is used ("xterm-ghostty" as "xterm-256color"), and TERM is set to it,
 * for readline and child processes. The first call decides. */
const struct terminal_kind *terminal_find_kind(void);

#endif
