/* See scroll_bar.h. */
#include "ui/terminal/scroll_bar.h"

enum { ARROW_ROWS = 2 };

static void draw_arrow(struct area area, int row, const char *arrow)
{
    area_text(area, row, area.cols - 1, look_of(STYLE_TITLE), arrow);
}

void scroll_bar_draw(struct area area, size_t first, size_t n_lines, bool ascii)
{
    size_t rows = area.rows > 0 ? (size_t)area.rows : 0;
    if (n_lines <= rows || rows <= ARROW_ROWS)
        return;
    size_t room = rows - ARROW_ROWS, thumb = room * rows / n_lines;
    thumb = thumb > 0 ? thumb : 1;
    size_t most = n_lines - rows, above = first < most ? first : most;
    size_t begin = 1 + above * (room - thumb) / most;
    for (size_t row = begin; row < begin + thumb; row++)
        area_text(area, (int)row, area.cols - 1, look_of(STYLE_QUIET),
                  ascii ? "#" : "\xE2\x96\x90");
    if (above > 0)
        draw_arrow(area, 0, ascii ? "^" : "\xE2\x86\x91");
    if (above < most)
        draw_arrow(area, area.rows - 1, ascii ? "v" : "\xE2\x86\x93");
}
