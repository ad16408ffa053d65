/* The words that Tab offers, in columns: at the prompt and in the answers of a lesson. */
#ifndef ATTN_UI_TERMINAL_CHOICES_H
#define ATTN_UI_TERMINAL_CHOICES_H

#include "shell/completion.h"
#include "ui/terminal/canvas.h"

/* The rows that they take in cols columns, at most max_rows. */
int choices_rows(const struct completions *choices, int max_rows, int cols);
/* Fills the area; the last row counts those that don't fit. */
void choices_draw(const struct completions *choices, struct area area);

#endif
