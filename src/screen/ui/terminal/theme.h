/* Colours by role. A theme says how each style of a Doc, the bars and the frames look on terminals
 * with 16.7 million, 256, 16, 8 colours, and without colours. */
#ifndef ATTN_UI_TERMINAL_THEME_H
#define ATTN_UI_TERMINAL_THEME_H

#include <stdint.h>

#include "ui/terminal/canvas.h"

enum theme_id { THEME_DARK, THEME_LIGHT, THEME_CONTRAST, THEME_COUNT };
/* Of the tints of heatmaps; all rise in lightness and survive colour blindness. */
enum palette_id { PALETTE_VIRIDIS, PALETTE_CIVIDIS, PALETTE_GREY, PALETTE_COUNT };

struct theme {
    enum theme_id id;
    enum palette_id palette;
    int n_colours; /* 0, 8, 16, 256 or 1 << 24 */
};

/* Colours as 0xRRGGBB, among those that the terminal has; -1, the terminal's own, only without
 * colours. marks are all of the cell's, the style's among them; MARK_DIM only without colours,
 * since a colour replaces it otherwise. */
struct paint {
    int32_t front, back;
    uint8_t marks;
};

const char *theme_name(enum theme_id id); /* "dark", ... */
const char *palette_name(enum palette_id id);
/* The paint of a cell. Letters on a tint are black or white, whichever can be read: every pair
 * keeps a contrast of 4.5 to 1, of 7 to 1 in THEME_CONTRAST (WCAG 2.1). A tint in front is shown
 * unchanged: it is for blocks, not for letters. */
struct paint theme_paint(const struct theme *theme, const struct canvas_look *look);
/* The colour of a tint, as shown; -1 without colours. */
int32_t theme_tint(const struct theme *theme, int tint);
/* The number of a paint's colour in a terminal with 8, 16 or 256 colours; the colour itself with 1
 * << 24; -1 for the terminal's own. */
int theme_index(const struct theme *theme, int32_t rgb);

#endif
