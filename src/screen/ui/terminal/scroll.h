/* Lists and pages with more lines than rows: moving in them, scrolling, and the bar at the right
 * edge that shows the position. */
#ifndef ATTN_UI_TERMINAL_SCROLL_H
#define ATTN_UI_TERMINAL_SCROLL_H

#include "ui/terminal/canvas.h"
#include "ui/terminal/input.h"

/* The place `steps` after `at` (before it, if negative) in a list of n, clamped to its ends; 0 if n
 * is 0. */
size_t scroll_step(size_t at, ptrdiff_t steps, size_t n);
/* The first line to show of a list of n, of which `seen` fit, so that `at` is among them: `first`
 * if it already is. */
size_t scroll_into_view(size_t first, size_t at, size_t seen, size_t n);
/* The steps that a request moves by in a list of n: one, a page, or to an end. False for requests
 * that do not move. */
bool scroll_steps_of(enum request request, size_t page, size_t n, ptrdiff_t *ret_steps);
/* Draws in the area's last column which part of n_lines is visible when `first` lines are above,
 * and arrows if there are more. Draws nothing if all are visible. */
void scroll_bar_draw(struct area area, size_t first, size_t n_lines, bool ascii);
/* Says at the right end of the area's last row, if that is blank, how many lines are below: "7
 * more". */
void scroll_count_draw(struct area area, size_t first, size_t n_lines);

#endif
