/* The painter: writes the bytes that make a terminal show a canvas. Only changed cells are sent,
 * and of each only its differences from the one before it. A frame is one text, so that it can be
 * sent in one piece and no half of it is ever visible. */
#ifndef ATTN_UI_TERMINAL_PAINTER_H
#define ATTN_UI_TERMINAL_PAINTER_H

#include "base/text.h"
#include "ui/terminal/canvas.h"
#include "ui/terminal/theme.h"

struct painter;

/* For the terminal whose description ncurses has read, with n_colours colours; 0: without colours.
 * If it is not is_utf8, a question mark replaces each letter outside ASCII. NULL without memory. */
struct painter *painter_new(int n_colours, bool is_utf8);
void painter_free(struct painter *painter); /* may be NULL */

/* Adds to out the bytes that make a terminal which shows one canvas show another one of the same
 * size. shown NULL: the terminal was cleared. Before and after it the terminal writes plain letters
 * in its own colours. The cursor goes to now's cursor; its place is undefined if now has none. */
void painter_write(struct painter *painter, const struct canvas *shown, const struct canvas *now,
                   const struct theme *theme, struct text *out);

#endif
