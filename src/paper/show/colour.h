/* The colours of terminals, and the colour arithmetic that the back ends share. */
#ifndef ATTN_SHOW_COLOUR_H
#define ATTN_SHOW_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

/* How many colours a terminal has. */
enum colours { COLOURS_NONE, COLOURS_16, COLOURS_256, COLOURS_TRUE };

/* Relative luminance of 0xRRGGBB, 0 (black) to 1 (white), for sRGB.
 * Source: WCAG 2.1, "relative luminance". */
double colour_luminance(uint32_t rgb);
/* Whether black letters are easier to read than white ones on rgb. */
bool colour_wants_black(uint32_t rgb);
/* The nearest of the colours 16 to 255 that 256-colour terminals share: a cube of 6x6x6 and 24
 * greys. */
int colour_nearest_256(uint32_t rgb);
/* The 0xRRGGBB of colour 16..255. */
uint32_t colour_of_256(int index);

#endif
