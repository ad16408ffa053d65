/* Terminfo, the part of ncurses that attn uses: what a terminal can do. */
#ifndef ATTN_UI_TERMINAL_TERMINAL_INTERNAL_H
#define ATTN_UI_TERMINAL_TERMINAL_INTERNAL_H

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdbool.h>
#include <stddef.h>
#include <term.h>

/* The terminal's string capability of this name (terminfo(5): "cup", "sgr0"); NULL if it lacks it.
 * Valid as long as the description is. */
const char *terminal_capability(const char *name);
/* Adds a capability, or nothing for NULL, to text of *size bytes, with a NUL after it. False, with
 * nothing added, for NULL and if it does not fit. Padding is left out: only real terminals need
 * it. */
bool terminal_add_capability(char *text, size_t *size, size_t capacity, const char *sequence);

/* Whether SIGTSTP stops the program at once; else it sets terminal_signals.stopped, so that the
 * terminal is given back first. */
void signals_let_stop(bool on);

/* Loads what the addresses in a report need, while that is safe; before that, a report has none. It
 * takes as long as a tenth of the first frame, and so comes after it. */
void crash_load_trace(void);

#endif
