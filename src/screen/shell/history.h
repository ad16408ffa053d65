/* The lines typed at the prompt, in this session and before, and the file that keeps them.
 *
 * readline's history library holds the list and writes the file; it has one list for the whole
 * program, which the line editor of the line REPL shows as well. */
#ifndef ATTN_SHELL_HISTORY_H
#define ATTN_SHELL_HISTORY_H

#include <stddef.h>

enum { HISTORY_LINES = 2000 /* older ones are dropped */, HISTORY_PATH_BYTES = 4096 };

struct history {
    char path[HISTORY_PATH_BYTES]; /* "" when lines are not kept in a file */
};

/* Reads the history of $XDG_STATE_HOME/attn/history. problem says why new lines can't be kept
 * there; "" without a problem. */
void history_open(struct history *history, char problem[512]);
/* Adds an entry, possibly of several rows, unless it is empty or equals the last one. The rows of
 * one line are joined, unless a comment in it would hide the rest; a block of several lines keeps
 * its rows, and is one entry. */
void history_remember(const struct history *history, const char *line);
size_t history_count(void);
/* Line i, the oldest first; i is below history_count(). Valid until the next one is added. */
const char *history_at(size_t i);

#endif
