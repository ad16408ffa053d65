/* Back ends that write a Doc as text: plain, ANSI terminals and SVG. They add to *out (see text.h
 * for failures) and never print. The screen's back end lives with the screen. */
#ifndef ATTN_SHOW_BACKEND_H
#define ATTN_SHOW_BACKEND_H

#include "show/colour.h"
#include "show/doc.h"

/* Text alone: a newline after each finished line. */
void doc_to_plain(const struct doc *doc, struct text *out);
/* With SGR sequences for styles and tints; each line ends reset. COLOURS_NONE is the same as plain.
 */
void doc_to_ansi(const struct doc *doc, enum colours colours, struct text *out);
/* A whole SVG file: a dark terminal card with monospace text, title above it (or NULL); text stays
 * text (selectable, read by screen readers). */
void doc_to_svg(const struct doc *doc, const char *title, struct text *out);

/* Other colours for it, as 0xRRGGBB: of the card, of each style's letters, of each tint. */
struct svg_colours {
    uint32_t ground, styles[STYLE_COUNT], tints[TINT_COUNT];
};
void doc_to_svg_in(const struct doc *doc, const char *title, const struct svg_colours *colours,
                   struct text *out);

/* Alone on a line of such bytes: the Doc before it can be shown; more follows. */
#define SPANS_MORE "\v\n"
/* Between two Docs in the same bytes; it is at the beginning of a line, and in no Doc. */
#define SPANS_NEXT_PAGE "\f\n"
/* For another attn at the other end of a pipe: the Doc with its styles and tints (not its cells),
 * as doc_read() reads it. */
void doc_to_spans(const struct doc *doc, struct text *out);
/* Adds a Doc that doc_to_spans() wrote. ERR_SYNTAX for anything else; the lines before it have then
 * been added. */
bool doc_read(struct doc *doc, const char *bytes, size_t size, struct error *reterr);

/* The palette of the tints, from dark blue over green to yellow; lightness rises steadily, so that
 * it survives colour blindness and grey print. Tints of both signs are blue below 0, orange above
 * it and dark around it. tint 0..TINT_COUNT - 1 to 0xRRGGBB. */
uint32_t palette_rgb(int tint);

#endif
