/* Lists and pages with more lines than rows: moving along them, scrolling, and the bar at the right
 * edge that shows where one is. */
#ifndef ATTN_UI_TERMINAL_SCROLL_H
#define ATTN_UI_TERMINAL_SCROLL_H

#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"

/* The place `steps` further than `at` (back where negative) in a list of n, at most at its ends; 0
 * where n is 0. */
size_t scroll_step(size_t at, ptrdiff_t steps, size_t n);
/* How far a list of n, of which `seen` are seen, is scrolled so that `at` is among them: as far as
 * it was, where that will do. */
size_t scroll_into_view(size_t first, size_t at, size_t seen, size_t n);
/* The steps that a request moves by in a list of n: one, a page, or to an end. False for requests
 * that do not move. */
bool scroll_steps_of(enum request request, size_t page, size_t n, ptrdiff_t *ret_steps);
/* In the area's last column: which part of n_lines is seen when `first` of them are above, and
 * arrows where there are more. Draws nothing where all are seen. */
void scroll_bar_draw(struct area area, size_t first, size_t n_lines, bool ascii);

#endif
