/* The painter: what is sent to a terminal so that it shows a canvas. Only cells that changed are
 * sent, and of each only what differs from the one before it; all of a frame is one text, so that
 * it can be sent in one piece and no half of it is ever seen. */
#ifndef ATTN_UI_TERMINAL_PAINTER_H
#define ATTN_UI_TERMINAL_PAINTER_H

#include "base/text.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/theme.h"

struct painter;

/* For the terminal whose description ncurses has read, with so many colours; 0: without. Where it
 * is not is_utf8, a question mark stands for each letter outside ASCII. NULL without memory. */
struct painter *painter_new(int n_colours, bool is_utf8);
void painter_free(struct painter *painter); /* may be NULL */

/* Adds to out what makes a terminal that shows one canvas show another one of the same size. shown
 * NULL: the terminal was cleared. Before and after it the terminal writes plain letters in its own
 * colours; the cursor is where `now` has it, and anywhere where that has none. */
void painter_write(struct painter *painter, const struct canvas *shown, const struct canvas *now,
                   const struct theme *theme, struct text *out);

#endif
