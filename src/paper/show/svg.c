/* A Doc as an SVG 1.1 file: see backend.h. */
#include "show/backend.h"

#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "show/colour.h"

/* In units of the drawing, which are pixels at its own size. A column is 0.6 of the letters'
 * height, as in most monospace fonts; each span says where it begins and how long it is, so that a
 * font of another width or with wide letters of its own does not move what follows. */
enum {
    FONT_SIZE = 15,
    COL = 9,
    LINE = 20,
    BASELINE = 15, /* from the top of a line down to the bottom of its letters */
    PADDING = 16,
    TITLE_HEIGHT = 28,
    CORNER = 8,
    COLS_MIN = 20,
    TITLE_COLS_MIN = 4,
};

/* The card's own colours. */
static const uint32_t own_ground = 0x14161F;
static const uint32_t own_styles[STYLE_COUNT] = {
    [STYLE_PLAIN] = 0xD8DCE8,   [STYLE_TITLE] = 0xFFFFFF, [STYLE_LABEL] = 0x7FD1E0,
    [STYLE_NUMBER] = 0xE8EAF2,  [STYLE_NAME] = 0xF0C674,  [STYLE_QUIET] = 0x8F96AB,
    [STYLE_CHANGED] = 0xFFD24D, [STYLE_GOOD] = 0x8FDC8A,  [STYLE_BAD] = 0xFF8A80,
    [STYLE_NOTE] = 0xD5A6F5,
};
static const uint32_t black = 0x000000, white = 0xFFFFFF;

static bool is_bold(enum style style)
{
    return style == STYLE_TITLE || style == STYLE_CHANGED || style == STYLE_BAD;
}

/* A drawing under way. */
struct svg {
    const struct svg_colours *colours;
    struct text *out;
};

/* U+FFFE and U+FFFF are UTF-8 but no XML 1.0 characters; surrogates are not UTF-8 at all. */
static bool is_xml(const char *bytes, struct text_character character)
{
    return character.printable && !(character.size == 3 && (memcmp(bytes, "\xEF\xBF\xBE", 3) == 0 ||
                                                            memcmp(bytes, "\xEF\xBF\xBF", 3) == 0));
}

static void put_escaped(struct text *out, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(bytes + at, size - at);
        const char *entity = text_entity(bytes[at]);
        if (entity != NULL)
            text_put(out, entity);
        else if (is_xml(bytes + at, character))
            text_add(out, bytes + at, character.size);
        else
            text_char(out, '?');
        at += character.size;
    }
}

static void put_colour(struct text *out, uint32_t rgb)
{
    text_format(out, "#%06x", (unsigned)rgb);
}

static void put_rectangle(const struct svg *svg, size_t x, size_t y, size_t cols, size_t height,
                          int tint)
{
    text_format(svg->out, "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"", x, y,
                cols * COL, height);
    put_colour(svg->out, svg->colours->tints[tint]);
    text_put(svg->out, "\"/>\n");
}

static bool is_half_block(const char *bytes, size_t size, char last)
{
    return size == 3 && bytes[0] == '\xE2' && bytes[1] == '\x96' && bytes[2] == last;
}

/* The shapes drawn below the letters of a line, one above the other. Half blocks are among them,
 * because letters of a font rarely meet. */
enum layer { LAYER_BACK, LAYER_UPPER, LAYER_LOWER, LAYER_COUNT };

static int tint_in(enum layer layer, const struct span *span, const char *bytes)
{
    if (layer == LAYER_BACK)
        return span->back;
    char last = layer == LAYER_UPPER ? '\x80' : '\x84';
    return is_half_block(bytes, span->end - span->begin, last) ? span->front : TINT_NONE;
}

/* A rectangle for each run of spans of one tint. */
static void put_layer(const struct svg *svg, const struct doc *doc, const struct span *spans,
                      size_t n_spans, enum layer layer, size_t top)
{
    size_t x = PADDING, begin = PADDING, height = layer == LAYER_BACK ? LINE : LINE / 2;
    size_t y = top + (layer == LAYER_LOWER ? LINE / 2 : 0);
    int tint = TINT_NONE;
    for (size_t i = 0; i <= n_spans; i++) {
        const char *bytes = i < n_spans ? doc->text.bytes + spans[i].begin : NULL;
        int next = i < n_spans ? tint_in(layer, &spans[i], bytes) : TINT_NONE;
        if (next != tint || i == n_spans) {
            if (tint != TINT_NONE && x > begin)
                put_rectangle(svg, begin, y, (x - begin) / COL, height, tint);
            begin = x;
            tint = next;
        }
        x += i < n_spans ? text_width(bytes, spans[i].end - spans[i].begin) * COL : 0;
    }
}

/* Whether a span is a half block, which needs no letters. */
static bool is_drawn(const struct span *span, const char *bytes)
{
    return tint_in(LAYER_UPPER, span, bytes) != TINT_NONE ||
           tint_in(LAYER_LOWER, span, bytes) != TINT_NONE;
}

static void put_letters(const struct svg *svg, const struct span *span, const char *bytes, size_t x,
                        size_t cols)
{
    struct text *out = svg->out;
    uint32_t colour = svg->colours->styles[span->style];
    if (span->front != TINT_NONE)
        colour = svg->colours->tints[span->front];
    else if (span->back != TINT_NONE)
        colour = colour_wants_black(svg->colours->tints[span->back]) ? black : white;
    text_format(out,
                "<tspan x=\"%zu\" textLength=\"%zu\" lengthAdjust=\"spacingAndGlyphs\" fill=\"", x,
                cols * COL);
    put_colour(out, colour);
    text_put(out, is_bold(span->style) ? "\" font-weight=\"bold\">" : "\">");
    put_escaped(out, bytes, span->end - span->begin);
    text_put(out, "</tspan>");
}

static void put_line(const struct svg *svg, const struct doc *doc, size_t line, size_t top)
{
    struct text *out = svg->out;
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans);
    for (enum layer layer = LAYER_BACK; layer < LAYER_COUNT; layer++)
        put_layer(svg, doc, spans, n_spans, layer, top);
    size_t x = PADDING;
    text_format(out, "<text xml:space=\"preserve\" y=\"%zu\">", top + BASELINE);
    for (size_t i = 0; i < n_spans; i++) {
        const char *bytes = doc->text.bytes + spans[i].begin;
        size_t size = spans[i].end - spans[i].begin, cols = text_width(bytes, size);
        if (cols > 0 && !text_is_blank(bytes, size) && !is_drawn(&spans[i], bytes))
            put_letters(svg, &spans[i], bytes, x, cols);
        x += cols * COL;
    }
    text_put(out, "</text>\n");
}

/* The card, and the title at the head of it and for those who can't see it. */
static void put_head(const struct svg *svg, const char *title, size_t cols, size_t n_lines)
{
    struct text *out = svg->out;
    size_t width = 2 * PADDING + cols * COL;
    size_t height = 2 * PADDING + n_lines * LINE + (title != NULL ? TITLE_HEIGHT : 0);
    text_format(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" "
                "viewBox=\"0 0 %zu %zu\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, "
                "Consolas, monospace\" font-size=\"%d\">\n",
                width, height, width, height, FONT_SIZE);
    if (title != NULL) {
        text_put(out, "<title>");
        put_escaped(out, title, strlen(title));
        text_put(out, "</title>\n");
    }
    text_format(out, "<rect width=\"%zu\" height=\"%zu\" rx=\"%d\" fill=\"#%06x\"/>\n", width,
                height, CORNER, (unsigned)svg->colours->ground);
    if (title != NULL) {
        text_format(out,
                    "<text xml:space=\"preserve\" x=\"%zu\" y=\"%d\" text-anchor=\"middle\" "
                    "fill=\"#%06x\">",
                    width / 2, PADDING + BASELINE - 4, (unsigned)svg->colours->styles[STYLE_QUIET]);
        put_escaped(out, title, strlen(title));
        text_put(out, "</text>\n");
    }
}

void doc_to_svg_in(const struct doc *doc, const char *title, const struct svg_colours *colours,
                   struct text *out)
{
    const struct svg svg = {colours, out};
    const struct span *open;
    size_t n_lines = doc->n_lines + (doc_line_spans(doc, doc->n_lines, &open) > 0 ? 1 : 0);
    size_t cols = size_max(doc_width(doc), COLS_MIN);
    if (title != NULL)
        cols = size_max(cols, text_width(title, strlen(title)) + TITLE_COLS_MIN);
    put_head(&svg, title, cols, n_lines);
    size_t top = PADDING + (title != NULL ? TITLE_HEIGHT : 0);
    for (size_t line = 0; line < n_lines; line++, top += LINE)
        put_line(&svg, doc, line, top);
    text_put(out, "</svg>\n");
}

void doc_to_svg(const struct doc *doc, const char *title, struct text *out)
{
    struct svg_colours own = {.ground = own_ground};
    memcpy(own.styles, own_styles, sizeof own.styles);
    for (size_t tint = 0; tint < COUNT_OF(own.tints); tint++)
        own.tints[tint] = palette_rgb((int)tint);
    doc_to_svg_in(doc, title, &own, out);
}
