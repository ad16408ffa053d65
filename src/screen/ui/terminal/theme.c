/* Colours for every style, on terminals with many colours, few, and without colours: see theme.h.
 *
 * Every pair of colours here keeps a contrast of 4.5 to 1, 7 to 1 in the theme "contrast": what
 * WCAG 2.1 asks for text in success criteria 1.4.3 (AA) and 1.4.6 (AAA). The unit test measures
 * them all. So that this holds on any terminal, both colours of a cell are always given. */
#include "base/array.h"
#include "ui/terminal/theme.h"

#include "show/backend.h"
#include "show/colour.h"

enum {
    CUBE = 16,  /* the first of the 256 colours that is the same everywhere */
    GREY = 232, /* after the cube come the greys */
    TINTS = 256,
    BLACK = 0x000000,
    WHITE = 0xFFFFFF,
    FEW_MAX = 6,
};

/* The first 16 colours as xterm shows them (its defaults in XTerm-col.ad); others come close. */
static const int32_t first_16[] = {
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
};

enum depth { DEPTH_MANY, DEPTH_16, DEPTH_8, DEPTH_COUNT };

/* The background of a theme. */
static const int32_t grounds[THEME_COUNT][DEPTH_COUNT] = {
    [THEME_DARK] = {0x14171C, 0x000000, 0x000000},
    [THEME_LIGHT] = {0xFBFBF8, 0xFFFFFF, 0xE5E5E5},
    [THEME_CONTRAST] = {0x000000, 0x000000, 0x000000},
};

/* Each style; the theme's background unless `own_back` says that `back` is meant. */
struct look {
    int32_t front, back;
    bool own_back;
    uint8_t marks;
};

static const struct look dark_looks[STYLE_COUNT][DEPTH_COUNT] = {
    [STYLE_PLAIN] = {{.front = 0xDDE1E6}, {.front = 0xE5E5E5}, {.front = 0xE5E5E5}},
    [STYLE_TITLE] = {{.front = 0xFFFFFF, .marks = MARK_BOLD},
                     {.front = 0xFFFFFF, .marks = MARK_BOLD},
                     {.front = 0xE5E5E5, .marks = MARK_BOLD}},
    [STYLE_LABEL] = {{.front = 0x7FD1E0}, {.front = 0x00CDCD}, {.front = 0x00CDCD}},
    [STYLE_NUMBER] = {{.front = 0xDDE1E6}, {.front = 0xE5E5E5}, {.front = 0xE5E5E5}},
    [STYLE_NAME] = {{.front = 0xE8C474}, {.front = 0xCDCD00}, {.front = 0xCDCD00}},
    [STYLE_QUIET] = {{.front = 0x9AA3AE}, {.front = 0x7F7F7F}, {.front = 0xE5E5E5}},
    [STYLE_CHANGED] = {{.front = 0xFFD54A, .marks = MARK_BOLD},
                       {.front = 0xFFFF00, .marks = MARK_BOLD},
                       {.front = 0xCDCD00, .marks = MARK_BOLD}},
    [STYLE_GOOD] = {{.front = 0x7BD88F}, {.front = 0x00CD00}, {.front = 0x00CD00}},
    [STYLE_BAD] = {{.front = 0xFF8A80, .marks = MARK_BOLD},
                   {.front = 0xFF0000, .marks = MARK_BOLD},
                   {.front = 0xE5E5E5, .back = 0xCD0000, .own_back = true}},
    [STYLE_NOTE] = {{.front = 0xD7A6F2},
                    {.front = 0xFF00FF},
                    {.front = 0x00CDCD, .marks = MARK_UNDERLINE}},
};

static const struct look light_looks[STYLE_COUNT][DEPTH_COUNT] = {
    [STYLE_PLAIN] = {{.front = 0x1F2328}, {.front = 0x000000}, {.front = 0x000000}},
    [STYLE_TITLE] = {{.front = 0x0B3D91, .marks = MARK_BOLD},
                     {.front = 0x0000EE, .marks = MARK_UNDERLINE},
                     {.front = 0x0000EE, .marks = MARK_UNDERLINE}},
    [STYLE_LABEL] = {{.front = 0x0B6271}, {.front = 0x0000EE}, {.front = 0x0000EE}},
    [STYLE_NUMBER] = {{.front = 0x1F2328}, {.front = 0x000000}, {.front = 0x000000}},
    [STYLE_NAME] = {{.front = 0x854500}, {.front = 0xCD00CD}, {.front = 0x0000EE}},
    [STYLE_QUIET] = {{.front = 0x59616B}, {.front = 0x000000}, {.front = 0x000000}},
    [STYLE_CHANGED] = {{.front = 0x9A3B00, .marks = MARK_BOLD},
                       {.front = 0xCD00CD, .marks = MARK_UNDERLINE},
                       {.front = 0xE5E5E5, .back = 0x0000EE, .own_back = true}},
    [STYLE_GOOD] = {{.front = 0x1A6B2D},
                    {.front = 0x000000, .back = 0x00CD00, .own_back = true},
                    {.front = 0x000000, .back = 0x00CD00, .own_back = true}},
    [STYLE_BAD] = {{.front = 0xB3141B, .marks = MARK_BOLD},
                   {.front = 0xCD0000, .marks = MARK_UNDERLINE},
                   {.front = 0xCD0000, .marks = MARK_UNDERLINE}},
    [STYLE_NOTE] = {{.front = 0x7A2E9E},
                    {.front = 0x000000, .marks = MARK_UNDERLINE},
                    {.front = 0x000000, .marks = MARK_UNDERLINE}},
};

static const struct look contrast_looks[STYLE_COUNT][DEPTH_COUNT] = {
    [STYLE_PLAIN] = {{.front = 0xFFFFFF}, {.front = 0xFFFFFF}, {.front = 0xE5E5E5}},
    [STYLE_TITLE] = {{.front = 0xFFFFFF, .marks = MARK_BOLD | MARK_UNDERLINE},
                     {.front = 0xFFFFFF, .marks = MARK_BOLD | MARK_UNDERLINE},
                     {.front = 0xE5E5E5, .marks = MARK_BOLD | MARK_UNDERLINE}},
    [STYLE_LABEL] = {{.front = 0x6FF0FF}, {.front = 0x00FFFF}, {.front = 0x00CDCD}},
    [STYLE_NUMBER] = {{.front = 0xFFFFFF}, {.front = 0xFFFFFF}, {.front = 0xE5E5E5}},
    [STYLE_NAME] = {{.front = 0xFFE066}, {.front = 0xFFFF00}, {.front = 0xCDCD00}},
    [STYLE_QUIET] = {{.front = 0xD0D0D0}, {.front = 0xE5E5E5}, {.front = 0xE5E5E5}},
    [STYLE_CHANGED] = {{.front = 0xFFFF00, .marks = MARK_BOLD | MARK_UNDERLINE},
                       {.front = 0xFFFF00, .marks = MARK_BOLD | MARK_UNDERLINE},
                       {.front = 0xCDCD00, .marks = MARK_BOLD | MARK_UNDERLINE}},
    [STYLE_GOOD] = {{.front = 0x5CFF7A, .marks = MARK_BOLD},
                    {.front = 0x00FF00, .marks = MARK_BOLD},
                    {.front = 0x00CD00, .marks = MARK_BOLD}},
    [STYLE_BAD] = {{.front = 0xFF9C94, .marks = MARK_BOLD},
                   {.front = 0x000000, .back = 0xFFFF00, .own_back = true},
                   {.front = 0x000000, .back = 0xCDCD00, .own_back = true}},
    [STYLE_NOTE] = {{.front = 0xF0B5FF, .marks = MARK_UNDERLINE},
                    {.front = 0x00FFFF, .marks = MARK_UNDERLINE},
                    {.front = 0x00CDCD, .marks = MARK_UNDERLINE}},
};

static const struct look (*const looks[THEME_COUNT])[DEPTH_COUNT] = {
    [THEME_DARK] = dark_looks,
    [THEME_LIGHT] = light_looks,
    [THEME_CONTRAST] = contrast_looks,
};

/* Without colours. Reverse is left to the cursor and to what is chosen. */
static const uint8_t bare_marks[STYLE_COUNT] = {
    [STYLE_TITLE] = MARK_BOLD,     [STYLE_NAME] = MARK_UNDERLINE,
    [STYLE_QUIET] = MARK_DIM,      [STYLE_CHANGED] = MARK_BOLD,
    [STYLE_GOOD] = MARK_BOLD,      [STYLE_BAD] = MARK_BOLD | MARK_UNDERLINE,
    [STYLE_NOTE] = MARK_UNDERLINE,
};

/* Blue over grey to yellow, the two colours that people with red-green blindness tell apart best:
 * the idea of cividis (Nunez, Anderton, Renslow 2018, "Optimizing colormaps with consideration for
 * color vision deficiency", PLOS ONE 13(7) e0199239). The colours were computed for attn in CIELAB
 * (ISO/CIE 11664-4), at equal steps: L* from 15 to 90, a* from 4 to -6 and b* from -32 to 60, with
 * a* and b* reduced where sRGB does not reach so far. */
static const unsigned char cividis_stops[][3] = {
    {0x00, 0x26, 0x4B}, {0x28, 0x3A, 0x59}, {0x4A, 0x4F, 0x5D},
    {0x68, 0x66, 0x62}, {0x85, 0x7D, 0x65}, {0xA2, 0x95, 0x68},
    {0xBF, 0xAE, 0x6A}, {0xDD, 0xC8, 0x6C}, {0xFA, 0xE3, 0x6C},
};

/* Levels of sRGB, whose steps look about even: L* from 10 to 95. */
static const unsigned char grey_stops[][3] = {{0x1B, 0x1B, 0x1B}, {0xF1, 0xF1, 0xF1}};

/* With few colours: those of first_16 that suit a palette, by rising luminance. In the theme
 * "contrast" some would leave black and white letters under 7 to 1, and are left out. */
struct few {
    int n;
    int32_t rgb[FEW_MAX];
};

static const struct few few_16[PALETTE_COUNT] = {
    [PALETTE_VIRIDIS] = {5, {0x0000EE, 0x5C5CFF, 0x00CD00, 0x00FF00, 0xFFFF00}},
    [PALETTE_CIVIDIS] = {5, {0x0000EE, 0x5C5CFF, 0x7F7F7F, 0xCDCD00, 0xFFFF00}},
    [PALETTE_GREY] = {4, {0x000000, 0x7F7F7F, 0xE5E5E5, 0xFFFFFF}},
};

static const struct few few_16_contrast[PALETTE_COUNT] = {
    [PALETTE_VIRIDIS] = {4, {0x0000EE, 0x00CD00, 0x00FF00, 0xFFFF00}},
    [PALETTE_CIVIDIS] = {3, {0x0000EE, 0xCDCD00, 0xFFFF00}},
    [PALETTE_GREY] = {3, {0x000000, 0xE5E5E5, 0xFFFFFF}},
};

static const struct few few_8[PALETTE_COUNT] = {
    [PALETTE_VIRIDIS] = {3, {0x0000EE, 0x00CD00, 0xCDCD00}},
    [PALETTE_CIVIDIS] = {3, {0x0000EE, 0xCDCD00, 0xE5E5E5}},
    [PALETTE_GREY] = {2, {0x000000, 0xE5E5E5}},
};

/* In the theme "contrast" tints run up to `dark`, the last on which white letters have 7 to 1, and
 * go on at `bright`, the first on which black ones have. Chosen so that the nearest of 256 colours
 * keeps to it too. */
static const struct {
    int dark, bright;
} bands[PALETTE_COUNT] = {
    [PALETTE_VIRIDIS] = {72, 150},
    [PALETTE_CIVIDIS] = {78, 168},
    [PALETTE_GREY] = {74, 151},
};

static enum depth depth_of(const struct theme *theme)
{
    return theme->n_colours >= TINTS ? DEPTH_MANY : theme->n_colours >= 16 ? DEPTH_16 : DEPTH_8;
}

/* A colour along stops at equal steps. */
static int32_t along(const unsigned char (*stops)[3], int n_stops, int tint)
{
    int place = tint * (n_stops - 1), last = TINTS - 1;
    int stop = place / last < n_stops - 1 ? place / last : n_stops - 2;
    int after = place - stop * last; /* how far from stop to the next, of `last` */
    int32_t rgb = 0;
    for (int i = 0; i < 3; i++) {
        int mixed = stops[stop][i] * (last - after) + stops[stop + 1][i] * after;
        rgb = rgb << 8 | (mixed + last / 2) / last;
    }
    return rgb;
}

static int32_t palette_at(enum palette_id palette, int tint)
{
    if (palette == PALETTE_CIVIDIS)
        return along(cividis_stops, COUNT_OF(cividis_stops), tint);
    if (palette == PALETTE_GREY)
        return along(grey_stops, COUNT_OF(grey_stops), tint);
    return (int32_t)palette_rgb(tint);
}

/* Leaves the middle out, where neither black nor white letters stand out enough. */
static int spread(enum palette_id palette, int tint)
{
    int half = TINTS / 2, dark = bands[palette].dark, bright = bands[palette].bright;
    if (tint < half)
        return tint * dark / (half - 1);
    return bright + (tint - half) * (TINTS - 1 - bright) / (half - 1);
}

static int apart(uint32_t a, uint32_t b)
{
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int step = (int)(a >> shift & 0xFF) - (int)(b >> shift & 0xFF);
        sum += step * step;
    }
    return sum;
}

/* The nearest of the cube's six levels: 0, 95, and steps of 40 from there on. */
static int nearest_level(int level)
{
    return level <= 47 ? 0 : level <= 115 ? 1 : (level - 36) / 40;
}

/* As colour_nearest_256(), which tries all of them: too slow for every cell of a large screen. */
static int nearest_256(uint32_t rgb)
{
    int red = (int)(rgb >> 16 & 0xFF), green = (int)(rgb >> 8 & 0xFF), blue = (int)(rgb & 0xFF);
    int cube = CUBE + 36 * nearest_level(red) + 6 * nearest_level(green) + nearest_level(blue);
    /* Of the 24 greys, 8 + 10 i, the one nearest to the mean of the channels; what lies halfway
     * goes down: (mean - 13) / 10 rounded up. */
    int nearest = (red + green + blue - 10) / 30;
    int grey = GREY + (nearest < 0 ? 0 : nearest > 23 ? 23 : nearest);
    return apart(colour_of_256(grey), rgb) < apart(colour_of_256(cube), rgb) ? grey : cube;
}

/* What of the terminal's colours comes nearest. */
static int32_t shown(const struct theme *theme, int32_t rgb)
{
    if (theme->n_colours != TINTS)
        return rgb;
    return (int32_t)colour_of_256(nearest_256((uint32_t)rgb));
}

/* With few colours: blue, black, yellow. */
static int32_t signed_tint(const struct theme *theme, int tint)
{
    static const int32_t few[] = {0x0000EE, 0x000000, 0xCDCD00};
    int at = tint - TINT_SIGNED, n = COUNT_OF(few);
    if (depth_of(theme) != DEPTH_MANY)
        return few[at * n / TINTS < n ? at * n / TINTS : n - 1];
    return shown(theme, (int32_t)palette_rgb(tint));
}

int32_t theme_tint(const struct theme *theme, int tint)
{
    if (theme->n_colours == 0)
        return -1;
    if (tint >= TINT_SIGNED)
        return signed_tint(theme, tint);
    tint = tint < 0 ? 0 : tint >= TINTS ? TINTS - 1 : tint;
    if (depth_of(theme) != DEPTH_MANY) {
        const struct few *few = theme->id == THEME_CONTRAST ? few_16_contrast : few_16;
        if (depth_of(theme) == DEPTH_8)
            few = few_8;
        few += theme->palette;
        return few->rgb[tint * few->n / TINTS];
    }
    if (theme->id == THEME_CONTRAST)
        tint = spread(theme->palette, tint);
    return shown(theme, palette_at(theme->palette, tint));
}

/* Black or white, whichever stands out more. */
static int32_t letters_on(const struct theme *theme, int32_t back)
{
    if (colour_wants_black((uint32_t)back))
        return BLACK;
    return depth_of(theme) == DEPTH_8 ? first_16[7] : WHITE;
}

struct paint theme_paint(const struct theme *theme, const struct canvas_look *look)
{
    enum depth depth = depth_of(theme);
    if (theme->n_colours == 0)
        return (struct paint){
            .front = -1, .back = -1, .marks = (uint8_t)(look->marks | bare_marks[look->style])};
    /* Dimmed text takes the quiet colour, since the mark alone would make letters as faint as
     * the terminal likes. */
    bool is_dimmed = (look->marks & MARK_DIM) != 0 &&
                     (look->style == STYLE_PLAIN || look->style == STYLE_NUMBER);
    const struct look *own = &looks[theme->id][is_dimmed ? STYLE_QUIET : look->style][depth];
    struct paint paint = {.front = shown(theme, own->front),
                          .back =
                              shown(theme, own->own_back ? own->back : grounds[theme->id][depth]),
                          .marks = (uint8_t)((look->marks & ~MARK_DIM) | own->marks)};
    if (look->back != TINT_NONE) {
        paint.back = theme_tint(theme, look->back);
        paint.front = letters_on(theme, paint.back);
    }
    if (look->front != TINT_NONE)
        paint.front = theme_tint(theme, look->front);
    /* With few colours bold may also mean bright, which fades on anything but black. */
    if (depth != DEPTH_MANY && paint.back != BLACK && (paint.marks & MARK_BOLD) != 0)
        paint.marks = (uint8_t)((paint.marks & ~MARK_BOLD) | MARK_UNDERLINE);
    return paint;
}

int theme_index(const struct theme *theme, int32_t rgb)
{
    if (rgb < 0 || theme->n_colours == 0)
        return -1;
    if (theme->n_colours > TINTS)
        return rgb;
    for (int i = 0; theme->n_colours < TINTS && i < CUBE; i++)
        if (first_16[i] == rgb)
            return i;
    return theme->n_colours < TINTS ? -1 : nearest_256((uint32_t)rgb);
}

const char *theme_name(enum theme_id id)
{
    static const char *const names[THEME_COUNT] = {
        [THEME_DARK] = "dark", [THEME_LIGHT] = "light", [THEME_CONTRAST] = "contrast"};
    return names[id];
}

const char *palette_name(enum palette_id id)
{
    static const char *const names[PALETTE_COUNT] = {
        [PALETTE_VIRIDIS] = "viridis", [PALETTE_CIVIDIS] = "cividis", [PALETTE_GREY] = "grey"};
    return names[id];
}
