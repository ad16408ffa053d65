/* The learner's own editor: $VISUAL, else $EDITOR, else nano or vi. */
#ifndef ATTN_UI_TERMINAL_EDITOR_H
#define ATTN_UI_TERMINAL_EDITOR_H

#include "base/text.h"

/* Runs it on a file, and waits for its end; the screen has left the terminal. False if it could not
 * be run, or failed: then *ret_why says so in a sentence. */
bool editor_run(const char *path, struct text *ret_why);

#endif
