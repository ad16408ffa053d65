/* See scroll.h. */
#include "ui/terminal/scroll.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"

size_t scroll_step(size_t at, ptrdiff_t steps, size_t n)
{
    size_t back = steps < 0 ? (size_t)-steps : 0;
    size_t to = steps >= 0 ? at + (size_t)steps : at > back ? at - back : 0;
    return n > 0 ? size_min(to, n - 1) : 0;
}

size_t scroll_into_view(size_t first, size_t at, size_t seen, size_t n)
{
    if (at < first)
        first = at;
    if (at >= first + seen)
        first = at - seen + 1;
    return n <= seen ? 0 : size_min(first, n - seen);
}

bool scroll_steps_of(enum request request, size_t page, size_t n, ptrdiff_t *ret_steps)
{
    const struct {
        enum request request;
        ptrdiff_t steps;
    } moves[] = {
        {REQ_UP, -1},
        {REQ_DOWN, 1},
        {REQ_PAGE_UP, -(ptrdiff_t)page},
        {REQ_PAGE_DOWN, (ptrdiff_t)page},
        {REQ_TOP, -(ptrdiff_t)n},
        {REQ_BOTTOM, (ptrdiff_t)n},
    };
    for (size_t i = 0; i < COUNT_OF(moves); i++)
        if (moves[i].request == request) {
            *ret_steps = moves[i].steps;
            return true;
        }
    return false;
}

enum { ARROW_ROWS = 2 };

/* Whether nothing is drawn in those cells of a row. */
static bool is_blank(struct area area, int row, int col, int cols)
{
    const struct canvas *canvas = area.canvas;
    for (int i = 0; i < cols; i++) {
        size_t at = (size_t)(area.row + row) * (size_t)canvas->cols + (size_t)(area.col + col + i);
        if (strcmp(canvas->cells[at].bytes, " ") != 0)
            return false;
    }
    return true;
}

void scroll_count_draw(struct area area, size_t first, size_t n_lines)
{
    char text[32];
    size_t end = first + (area.rows > 0 ? (size_t)area.rows : 0);
    if (area.rows <= 0 || end >= n_lines)
        return;
    int size = snprintf(text, sizeof text, "%zu more", n_lines - end);
    int col = area.cols - size - 2; /* before the arrow and a blank */
    if (col > 0 && is_blank(area, area.rows - 1, col - 1, size + 1))
        area_text(area, area.rows - 1, col, look_of(STYLE_QUIET), text);
}

void scroll_bar_draw(struct area area, size_t first, size_t n_lines, bool ascii)
{
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0;
    int col = area.cols - 1;
    if (n_lines <= rows || rows <= ARROW_ROWS)
        return;
    size_t room = rows - ARROW_ROWS, thumb = room * rows / n_lines;
    thumb = size_max(thumb, 1);
    size_t most = n_lines - rows, above = size_min(first, most);
    size_t begin = 1 + above * (room - thumb) / most;
    for (size_t row = begin; row < begin + thumb; row++)
        area_text(area, (int)row, col, look_of(STYLE_QUIET), ascii ? "#" : "\xE2\x96\x90");
    if (above > 0)
        area_text(area, 0, col, look_of(STYLE_TITLE), ascii ? "^" : "\xE2\x86\x91");
    if (above < most)
        area_text(area, area.rows - 1, col, look_of(STYLE_TITLE), ascii ? "v" : "\xE2\x86\x93");
}
