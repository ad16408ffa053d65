/* The bar at the right edge of a pane that has more lines than rows. */
#ifndef ATTN_UI_TERMINAL_SCROLL_BAR_H
#define ATTN_UI_TERMINAL_SCROLL_BAR_H

#include "ui/terminal/canvas.h"

/* In the area's last column: which part of n_lines is seen when `first` of them are above, and
 * arrows where there are more. Draws nothing where all are seen. */
void scroll_bar_draw(struct area area, size_t first, size_t n_lines, bool ascii);

#endif
