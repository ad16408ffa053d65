/* Pictures as PNG, which another program draws: rsvg-convert. */
#ifndef ATTN_FILES_PNG_H
#define ATTN_FILES_PNG_H

#include "base/error.h"
#include "base/text.h"

/* Adds the PNG of an SVG. ERR_FILE if rsvg-convert is not installed, or fails. */
bool png_of_svg(const char *svg, size_t size, struct text *ret, struct error *reterr);

#endif
