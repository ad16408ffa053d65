/* A Doc as an SVG 1.1 file: see backend.h. */
#include "show/backend.h"

#include <string.h>

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

#define BACKGROUND "#14161f"
#define BLACK "#000000"
#define WHITE "#ffffff"

static const struct {
    const char *colour;
    bool bold;
} styles[STYLE_COUNT] = {
    [STYLE_PLAIN] = {"#d8dce8", false},  [STYLE_TITLE] = {WHITE, true},
    [STYLE_LABEL] = {"#7fd1e0", false},  [STYLE_NUMBER] = {"#e8eaf2", false},
    [STYLE_NAME] = {"#f0c674", false},   [STYLE_QUIET] = {"#8f96ab", false},
    [STYLE_CHANGED] = {"#ffd24d", true}, [STYLE_GOOD] = {"#8fdc8a", false},
    [STYLE_BAD] = {"#ff8a80", true},     [STYLE_NOTE] = {"#d5a6f5", false},
};

/* U+FFFE and U+FFFF are UTF-8 but no XML 1.0 characters; surrogates are not UTF-8 at all. */
static bool is_xml(const char *bytes, struct text_character character)
{
    return character.printable && !(character.size == 3 && (memcmp(bytes, "\xEF\xBF\xBE", 3) == 0 ||
                                                            memcmp(bytes, "\xEF\xBF\xBF", 3) == 0));
}

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

static void put_escaped(struct text *out, const char *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(bytes + at, size - at);
        const char *entity = entity_of(bytes[at]);
        if (entity != NULL)
            text_put(out, entity);
        else if (is_xml(bytes + at, character))
            text_add(out, bytes + at, character.size);
        else
            text_char(out, '?');
        at += character.size;
    }
}

static void put_tint(struct text *out, int tint)
{
    text_format(out, "#%06x", (unsigned)palette_rgb(tint));
}

static void put_rectangle(struct text *out, size_t x, size_t y, size_t cols, size_t height,
                          int tint)
{
    text_format(out, "<rect x=\"%zu\" y=\"%zu\" width=\"%zu\" height=\"%zu\" fill=\"", x, y,
                cols * COL, height);
    put_tint(out, tint);
    text_put(out, "\"/>\n");
}

static bool is_half_block(const char *bytes, size_t size, char last)
{
    return size == 3 && bytes[0] == '\xE2' && bytes[1] == '\x96' && bytes[2] == last;
}

/* The background of a span. Half blocks are drawn too, because letters of a font rarely meet. */
static void put_background(struct text *out, const struct span *span, const char *bytes, size_t x,
                           size_t y, size_t cols)
{
    size_t size = span->end - span->begin;
    if (span->back != TINT_NONE)
        put_rectangle(out, x, y, cols, LINE, span->back);
    if (span->front != TINT_NONE && is_half_block(bytes, size, '\x80'))
        put_rectangle(out, x, y, cols, LINE / 2, span->front);
    if (span->front != TINT_NONE && is_half_block(bytes, size, '\x84'))
        put_rectangle(out, x, y + LINE / 2, cols, LINE / 2, span->front);
}

static void put_letters(struct text *out, const struct span *span, const char *bytes, size_t x,
                        size_t cols)
{
    text_format(out,
                "<tspan x=\"%zu\" textLength=\"%zu\" lengthAdjust=\"spacingAndGlyphs\" fill=\"", x,
                cols * COL);
    if (span->front != TINT_NONE)
        put_tint(out, span->front);
    else if (span->back != TINT_NONE)
        text_put(out, colour_wants_black(palette_rgb(span->back)) ? BLACK : WHITE);
    else
        text_put(out, styles[span->style].colour);
    text_put(out, styles[span->style].bold ? "\" font-weight=\"bold\">" : "\">");
    put_escaped(out, bytes, span->end - span->begin);
    text_put(out, "</tspan>");
}

static void put_line(const struct doc *doc, size_t line, size_t top, struct text *out)
{
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans);
    size_t x = PADDING;
    for (size_t i = 0; i < n_spans; i++) {
        const char *bytes = doc->text.bytes + spans[i].begin;
        size_t cols = text_width(bytes, spans[i].end - spans[i].begin);
        put_background(out, &spans[i], bytes, x, top, cols);
        x += cols * COL;
    }
    text_format(out, "<text xml:space=\"preserve\" y=\"%zu\">", top + BASELINE);
    x = PADDING;
    for (size_t i = 0; i < n_spans; i++) {
        const char *bytes = doc->text.bytes + spans[i].begin;
        size_t size = spans[i].end - spans[i].begin, cols = text_width(bytes, size);
        if (cols > 0 && !text_is_blank(bytes, size))
            put_letters(out, &spans[i], bytes, x, cols);
        x += cols * COL;
    }
    text_put(out, "</text>\n");
}

/* The card, and the title at the head of it and for those who can't see it. */
static void put_head(const char *title, size_t cols, size_t n_lines, struct text *out)
{
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
    text_format(out, "<rect width=\"%zu\" height=\"%zu\" rx=\"%d\" fill=\"" BACKGROUND "\"/>\n",
                width, height, CORNER);
    if (title != NULL) {
        text_format(out,
                    "<text xml:space=\"preserve\" x=\"%zu\" y=\"%d\" text-anchor=\"middle\" "
                    "fill=\"%s\">",
                    width / 2, PADDING + BASELINE - 4, styles[STYLE_QUIET].colour);
        put_escaped(out, title, strlen(title));
        text_put(out, "</text>\n");
    }
}

void doc_to_svg(const struct doc *doc, const char *title, struct text *out)
{
    const struct span *open;
    size_t n_lines = doc->n_lines + (doc_line_spans(doc, doc->n_lines, &open) > 0 ? 1 : 0);
    size_t cols = size_max(doc_width(doc), COLS_MIN);
    if (title != NULL)
        cols = size_max(cols, text_width(title, strlen(title)) + TITLE_COLS_MIN);
    put_head(title, cols, n_lines, out);
    size_t top = PADDING + (title != NULL ? TITLE_HEIGHT : 0);
    for (size_t line = 0; line < n_lines; line++, top += LINE)
        put_line(doc, line, top, out);
    text_put(out, "</svg>\n");
}
