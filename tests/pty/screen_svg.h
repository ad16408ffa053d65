/* A screen as a picture. */
#ifndef ATTN_TESTS_PTY_SCREEN_SVG_H
#define ATTN_TESTS_PTY_SCREEN_SVG_H

#include <stdio.h>

#include "screen.h"

/* Writes what the screen shows as an SVG 1.1 file: its letters, looks, colours and cursor, on the
 * colour of the cell at its upper left. Letters keep to their columns in any font; lines and blocks
 * are drawn as shapes, since those of a font rarely meet. Errors are those of out. */
void screen_svg(struct screen *screen, FILE *out);

#endif
