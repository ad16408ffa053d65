/* A Doc with SGR sequences (ECMA-48 section 8.3.117; colours above 16 as in ISO 8613-6): see
 * backend.h. */
#include "base/array.h"
#include "show/backend.h"

#include "show/colour.h"

enum { FRONT = 38, BACK = 48 };

/* Parameters for each style. Where there is a tint behind the letters, their colour follows from
 * it, and only `weight` stays. */
static const struct {
    const char *weight, *colour;
} styles[STYLE_COUNT] = {
    [STYLE_TITLE] = {";1", ""},      [STYLE_LABEL] = {"", ";36"}, [STYLE_NAME] = {"", ";33"},
    [STYLE_QUIET] = {"", ";2"},      [STYLE_GOOD] = {"", ";32"},  [STYLE_BAD] = {";1", ";31"},
    [STYLE_CHANGED] = {";1", ";33"}, [STYLE_NOTE] = {"", ";35"},  [STYLE_PLAIN] = {"", ""},
    [STYLE_NUMBER] = {"", ""},
};

/* Blue to yellow among the 16 colours, by rising luminance, with what terminals commonly show. */
static const struct {
    int front; /* its parameter; 10 more is the same behind the letters */
    uint32_t rgb;
} few[] = {{34, 0x0000EE}, {94, 0x5C5CFF}, {32, 0x00CD00}, {92, 0x00FF00}, {93, 0xFFFF00}};

enum { N_FEW = COUNT_OF(few) };

static int few_of(int tint)
{
    if (tint >= TINT_SIGNED)
        tint = tint - TINT_SIGNED < 128 ? 0 : 255; /* blue, yellow */
    return tint * N_FEW / 256;
}

/* The colour that stands for the tint on a terminal with this many colours. */
static uint32_t shown_rgb(int tint, enum colours colours)
{
    if (colours == COLOURS_16)
        return few[few_of(tint)].rgb;
    uint32_t rgb = palette_rgb(tint);
    return colours == COLOURS_256 ? colour_of_256(colour_nearest_256(rgb)) : rgb;
}

/* Adds the tint as the colour of the letters (FRONT) or behind them (BACK). */
static void add_tint(struct text *sgr, int tint, int place, enum colours colours)
{
    uint32_t rgb = palette_rgb(tint);
    if (colours == COLOURS_16)
        text_format(sgr, ";%d", few[few_of(tint)].front + (place == BACK ? 10 : 0));
    else if (colours == COLOURS_256)
        text_format(sgr, ";%d;5;%d", place, colour_nearest_256(rgb));
    else
        text_format(sgr, ";%d;2;%d;%d;%d", place, (int)(rgb >> 16), (int)(rgb >> 8 & 0xFF),
                    (int)(rgb & 0xFF));
}

/* Adds black or white, whichever can be read on the tint. */
static void add_contrast(struct text *sgr, int tint, enum colours colours)
{
    bool black = colour_wants_black(shown_rgb(tint, colours));
    if (colours == COLOURS_16)
        text_put(sgr, black ? ";30" : ";97");
    else if (colours == COLOURS_256)
        text_put(sgr, black ? ";38;5;16" : ";38;5;231");
    else
        text_put(sgr, black ? ";38;2;0;0;0" : ";38;2;255;255;255");
}

/* Adds the sequence that switches from any look to this one. */
static void add_look(struct text *out, const struct span *look, enum colours colours)
{
    text_put(out, "\033[0");
    text_put(out, styles[look->style].weight);
    if (look->front != TINT_NONE)
        add_tint(out, look->front, FRONT, colours);
    else if (look->back != TINT_NONE)
        add_contrast(out, look->back, colours);
    else
        text_put(out, styles[look->style].colour);
    if (look->back != TINT_NONE)
        add_tint(out, look->back, BACK, colours);
    text_char(out, 'm');
}

static bool is_bare(const struct span *look)
{
    return look->front == TINT_NONE && look->back == TINT_NONE &&
           styles[look->style].weight[0] == '\0' && styles[look->style].colour[0] == '\0';
}

static bool same_look(const struct span *a, const struct span *b)
{
    return (is_bare(a) && is_bare(b)) ||
           (a->style == b->style && a->front == b->front && a->back == b->back);
}

static void add_line(const struct doc *doc, size_t line, enum colours colours, struct text *out)
{
    static const struct span bare = {.front = TINT_NONE, .back = TINT_NONE};
    const struct span *spans, *current = &bare;
    size_t n_spans = doc_line_spans(doc, line, &spans);
    for (size_t i = 0; i < n_spans; i++) {
        if (!same_look(current, &spans[i]))
            add_look(out, &spans[i], colours);
        current = &spans[i];
        text_add(out, doc->text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
    }
    if (!is_bare(current))
        text_put(out, "\033[0m");
}

void doc_to_ansi(const struct doc *doc, enum colours colours, struct text *out)
{
    if (colours == COLOURS_NONE) {
        doc_to_plain(doc, out);
        return;
    }
    for (size_t line = 0; line < doc->n_lines; line++) {
        add_line(doc, line, colours, out);
        text_char(out, '\n');
    }
    add_line(doc, doc->n_lines, colours, out);
}
