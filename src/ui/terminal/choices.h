/* The words that Tab offers, in columns: at the prompt and in the answers of a lesson. */
#ifndef ATTN_UI_TERMINAL_CHOICES_H
#define ATTN_UI_TERMINAL_CHOICES_H

#include "shell/completion.h"
#include "ui/terminal/canvas.h"

/* The rows that they take in so many columns, max_rows at most. */
int choices_rows(const struct completions *choices, int max_rows, int cols);
/* Fills the area; those that find no room are counted in its last row. */
void choices_draw(const struct completions *choices, struct area area);

#endif
