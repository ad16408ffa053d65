/* Cells of heatmaps: see heat_cell.h. */
#include "base/array.h"
#include "show/heat_cell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MIDDLE_TINT = 127 }; /* for numbers that are all the same */

const char *heat_hidden_sign(bool ascii)
{
    return ascii ? "/" : "\xC2\xB7";
}

char heat_sign(float x)
{
    return isnan(x) ? '?' : '>';
}

/* Where x lies between the two ends. x must be finite. */
static int tint_of(struct heat_ends ends, float x)
{
    if (!(ends.highest > ends.lowest))
        return MIDDLE_TINT;
    double share = ((double)x - ends.lowest) / (ends.highest - ends.lowest);
    return (int)lround(fmin(fmax(share, 0), 1) * (HEAT_TINTS - 1));
}

int heat_shades(bool ascii)
{
    return ascii ? 10 : 5;
}

const char *heat_shade(int tint, bool ascii)
{
    static const char *const ascii_shades[] = {" ", ".", ":", "-", "=", "+", "*", "#", "%", "@"};
    static const char *const block_shades[] = {" ", "\xE2\x96\x91", "\xE2\x96\x92", "\xE2\x96\x93",
                                               "\xE2\x96\x88"};
    int shade = tint * heat_shades(ascii) / HEAT_TINTS;
    return ascii ? ascii_shades[shade] : block_shades[shade];
}

const char *heat_change_sign(int tint)
{
    static const struct {
        int end;
        const char *sign;
    } signs[] = {{64, "="}, {112, "-"}, {144, " "}, {192, "+"}, {HEAT_TINTS, "#"}};
    size_t i = 0;
    while (i + 1 < COUNT_OF(signs) && tint >= signs[i].end)
        i++;
    return signs[i].sign;
}

/* A drawn cell: one number, or the mean of several. */
struct shown_cell {
    float x;
    bool is_hidden, has_tint; /* not both */
};

/* Adds the character that stands for a cell: its shade, or the sign of one that has no shade. */
static size_t put_shade(struct heat_ends ends, struct shown_cell cell, bool ascii, char *text)
{
    const char *shade = heat_hidden_sign(ascii);
    if (cell.has_tint)
        shade = heat_shade(tint_of(ends, cell.x), ascii);
    if (!cell.has_tint && !cell.is_hidden) {
        text[0] = heat_sign(cell.x);
        return 1;
    }
    size_t size = strlen(shade);
    memcpy(text, shade, size);
    return size;
}

/* The rows or columns [first, end) of numbers that a drawn row or column stands for. */
struct bin {
    size_t first, end;
};

static struct bin bin_of(size_t i, size_t n, size_t each)
{
    size_t first = i * each;
    return (struct bin){.first = first, .end = n - first < each ? n : first + each};
}

/* The mean of a cell's finite numbers that are not hidden. Without such a number: hidden, if all
 * are; else the common value of the others, or NaN. */
static struct shown_cell cell_at(const struct heat *heat, const struct grid *grid, size_t row,
                                 size_t col)
{
    struct bin rows = bin_of(row, grid->n_rows, heat->rows_each);
    struct bin cols = bin_of(col, grid->n_cols, heat->cols_each);
    float common = 0;
    double sum = 0;
    size_t n_finite = 0, n_others = 0;
    for (size_t i = rows.first; i < rows.end; i++)
        for (size_t j = cols.first; j < cols.end; j++) {
            float x = grid_number(grid, i, j);
            if (grid_is_hidden(grid, i, j))
                continue;
            sum += isfinite(x) ? (double)x : 0;
            n_finite += isfinite(x) ? 1 : 0;
            if (!isfinite(x))
                common = n_others++ == 0 || x == common ? x : NAN;
        }
    return (struct shown_cell){.x = n_finite > 0 ? (float)(sum / (double)n_finite) : common,
                               .is_hidden = n_finite + n_others == 0,
                               .has_tint = n_finite > 0};
}

void heat_range_add(struct heat_range *range, const struct heat_range *more)
{
    bool first = range->n_finite == 0, any = more->n_finite > 0;
    if (any && (first || more->lowest < range->lowest))
        range->lowest = more->lowest;
    if (any && (first || more->highest > range->highest))
        range->highest = more->highest;
    range->n_finite += more->n_finite;
    range->n_hidden += more->n_hidden;
    range->n_inf += more->n_inf;
    range->n_nan += more->n_nan;
    range->hides_finite = range->hides_finite || more->hides_finite;
}

struct heat_range heat_range_of_row(const struct heat *heat, const struct grid *grid, size_t row)
{
    struct heat_range range = {.n_finite = 0};
    for (size_t col = 0; col < heat->n_cols; col++) {
        struct shown_cell cell = cell_at(heat, grid, row, col);
        struct heat_range one = {.lowest = (double)cell.x,
                                 .highest = (double)cell.x,
                                 .n_finite = cell.has_tint ? 1 : 0,
                                 .n_hidden = cell.is_hidden ? 1 : 0};
        if (!cell.has_tint && !cell.is_hidden)
            *(isnan(cell.x) ? &one.n_nan : &one.n_inf) = 1;
        if (cell.is_hidden)
            one.hides_finite =
                grid_number(grid, row * heat->rows_each, col * heat->cols_each) != -INFINITY;
        heat_range_add(&range, &one);
    }
    return range;
}

size_t heat_shade_cols(const struct heat *heat)
{
    return heat->is_tight ? 1 : HEAT_BLOCK_COLS;
}

size_t heat_gap(const struct heat *heat)
{
    return heat->is_tight ? 1 : HEAT_GAP;
}

bool heat_is_averaged(const struct heat *heat)
{
    return heat->rows_each > 1 || heat->cols_each > 1;
}

/* The look of a drawn cell. A mean points at no number, and tells no changes. */
static struct span cell_look(const struct heat *heat, const struct grid *grid, size_t row,
                             size_t col)
{
    if (!heat_is_averaged(heat))
        return grid_look(grid, row, col);
    return (struct span){.style = STYLE_NUMBER, .front = TINT_NONE, .back = TINT_NONE};
}

/* What a cell says: its number, or the sign of a hidden one. Returns the bytes; *ret_cols. */
static size_t write_number(const struct heat *heat, struct shown_cell cell, bool ascii,
                           char text[NUMBER_TEXT], size_t *ret_cols)
{
    if (cell.is_hidden)
        snprintf(text, NUMBER_TEXT, "%s", heat_hidden_sign(ascii));
    else
        number_write(cell.x, heat->style, text);
    *ret_cols = cell.is_hidden ? 1 : strlen(text);
    return strlen(text);
}

/* A hidden cell is dimmed, unless it changed. */
static void look_hidden(struct span *look, struct shown_cell cell)
{
    if (cell.is_hidden && look->style == STYLE_NUMBER)
        look->style = STYLE_QUIET;
}

/* cols columns of a cell without its number: its tint or its shade; blank where it has neither. */
static void put_blank(struct doc *doc, const struct heat *heat, struct shown_cell cell,
                      struct span look, size_t cols, bool ascii)
{
    struct text text = {0};
    look.style = STYLE_NUMBER;
    if (cell.has_tint && !heat->shades)
        look.back = (int16_t)tint_of(heat->ends[0], cell.x);
    bool is_shade = cell.has_tint && heat->shades;
    text_repeat(&text, is_shade ? heat_shade(tint_of(heat->ends[0], cell.x), ascii) : " ", cols);
    doc->failed = doc->failed || text.failed;
    if (cols > 0 && !text.failed)
        doc_put_span(doc, text_string(&text), text.size, look);
    text_release(&text);
}

/* " 0.4556 " on its tint; a '*' at its end says that it changed. */
static void draw_tinted_number(struct doc *doc, const struct heat *heat, const struct grid *grid,
                               size_t row, size_t col, bool ascii)
{
    char number[NUMBER_TEXT], text[GRID_HEADING_TEXT];
    struct shown_cell cell = cell_at(heat, grid, row, col);
    struct span look = grid_look(grid, row, col);
    size_t cols, size = write_number(heat, cell, ascii, number, &cols);
    size_t own_cols = heat->cell_cols - heat->added_cols, pad = own_cols - 1 - cols;
    put_blank(doc, heat, cell, look, heat->left_cols, ascii);
    memset(text, ' ', pad);
    memcpy(text + pad, number, size);
    text[pad + size] = look.style == STYLE_CHANGED ? '*' : ' ';
    if (cell.has_tint)
        look.back = (int16_t)tint_of(heat->ends[0], cell.x);
    struct span blank = look;
    look_hidden(&look, cell);
    doc_put_span(doc, text, pad + size + 1, look);
    put_blank(doc, heat, cell, blank, heat->added_cols - heat->left_cols, ascii);
}

/* Two shades, the number, and a '*' where it changed: "##  0.4556*"; of a wider cell more shades
 * before and after that. */
static void draw_shaded_number(struct doc *doc, const struct heat *heat, const struct grid *grid,
                               size_t row, size_t col, bool ascii)
{
    char number[NUMBER_TEXT], text[GRID_HEADING_TEXT];
    struct shown_cell cell = cell_at(heat, grid, row, col);
    struct span look = grid_look(grid, row, col), blank = look;
    bool changed = look.style == STYLE_CHANGED;
    size_t right = heat->added_cols - heat->left_cols;
    size_t digits, number_size = write_number(heat, cell, ascii, number, &digits), size = 0;
    put_blank(doc, heat, cell, blank, heat->left_cols, ascii);
    for (size_t i = 0; i < heat_shade_cols(heat); i++) {
        if (cell.is_hidden) /* its sign once, where numbers are */
            text[size++] = ' ';
        else
            size += put_shade(heat->ends[0], cell, ascii, text + size);
    }
    size_t own_cols = heat->cell_cols - heat->added_cols;
    size_t pad = own_cols - heat_gap(heat) - heat_shade_cols(heat) - digits;
    memset(text + size, ' ', pad);
    memcpy(text + size + pad, number, number_size);
    size += pad + number_size;
    if (changed || right > 0)
        text[size++] = changed ? '*' : ' ';
    look_hidden(&look, cell);
    doc_put_span(doc, text, size, look);
    put_blank(doc, heat, cell, blank, right > 0 ? right - 1 : 0, ascii);
    if (col + 1 < grid->n_cols)
        grid_pad(doc, heat_gap(heat) - (changed && right == 0 ? 1 : 0));
}

/* Two columns of tint, shade or sign, or the dot of a hidden one and a blank; the second is '*'
 * where the number changed. */
static void draw_block(struct doc *doc, const struct heat *heat, const struct grid *grid,
                       size_t row, size_t col, bool ascii)
{
    char text[16] = "  ";
    struct shown_cell cell = cell_at(heat, grid, row, col);
    struct span look = grid_look(grid, row, col);
    bool tinted = cell.has_tint && !heat->shades;
    put_blank(doc, heat, cell, look, heat->left_cols, ascii);
    size_t size = tinted ? 1 : put_shade(heat->ends[0], cell, ascii, text);
    if (look.style == STYLE_CHANGED)
        text[size++] = '*';
    else if (tinted || cell.is_hidden)
        text[size++] = ' ';
    else
        size += put_shade(heat->ends[0], cell, ascii, text + size);
    struct span blank = look;
    if (tinted)
        look.back = (int16_t)tint_of(heat->ends[0], cell.x);
    else if (!cell.has_tint && look.style == STYLE_NUMBER)
        look.style = STYLE_QUIET;
    doc_put_span(doc, text, size, look);
    put_blank(doc, heat, cell, blank, heat->added_cols - heat->left_cols, ascii);
}

/* One character for two numbers: the upper half block in the tint of the upper one, on the tint of
 * the lower one. A number without a tint leaves its half blank; two of them show a sign. */
static void draw_halves(struct doc *doc, const struct heat *heat, const struct grid *grid,
                        size_t row, size_t col)
{
    static const char upper_half[] = "\xE2\x96\x80", lower_half[] = "\xE2\x96\x84";
    struct span look = cell_look(heat, grid, row, col);
    struct shown_cell upper = cell_at(heat, grid, row, col), lower = {.has_tint = false};
    if (row + 1 < heat->n_rows)
        lower = cell_at(heat, grid, row + 1, col);
    look.style = STYLE_NUMBER;
    if (upper.has_tint) {
        look.front = (int16_t)tint_of(heat->ends[0], upper.x);
        look.back = (int16_t)(lower.has_tint ? tint_of(heat->ends[1], lower.x) : TINT_NONE);
        doc_put_span(doc, upper_half, sizeof upper_half - 1, look);
    } else if (lower.has_tint) {
        look.front = (int16_t)tint_of(heat->ends[1], lower.x);
        doc_put_span(doc, lower_half, sizeof lower_half - 1, look);
    } else {
        char sign[8];
        look.style = STYLE_QUIET;
        doc_put_span(doc, sign, put_shade(heat->ends[0], upper, false, sign), look);
    }
}

/* One shade for one number, or for the mean of several. */
static void draw_small_shade(struct doc *doc, const struct heat *heat, const struct grid *grid,
                             size_t row, size_t col, bool ascii)
{
    char text[8];
    struct span look = cell_look(heat, grid, row, col);
    struct shown_cell cell = cell_at(heat, grid, row, col);
    look.style = cell.has_tint ? STYLE_NUMBER : STYLE_QUIET;
    doc_put_span(doc, text, put_shade(heat->ends[0], cell, ascii, text), look);
}

/* A line of a cell above or below the one with its number. */
static void draw_beside_number(struct doc *doc, const struct heat *heat, const struct grid *grid,
                               size_t row, size_t col, bool ascii)
{
    struct shown_cell cell = cell_at(heat, grid, row, col);
    bool has_gap = heat->shades && heat->cells == CELLS_NUMBERS;
    size_t gap = has_gap ? heat_gap(heat) : 0;
    put_blank(doc, heat, cell, cell_look(heat, grid, row, col), heat->cell_cols - gap, ascii);
    if (col + 1 < heat->n_cols)
        grid_pad(doc, gap);
}

void heat_draw_cell(struct doc *doc, const struct heat *heat, const struct grid *grid, size_t row,
                    size_t col, bool is_middle, bool ascii)
{
    if (!is_middle)
        draw_beside_number(doc, heat, grid, row, col, ascii);
    else if (heat->cells == CELLS_SMALL && heat->shades)
        draw_small_shade(doc, heat, grid, row, col, ascii);
    else if (heat->cells == CELLS_SMALL)
        draw_halves(doc, heat, grid, row, col);
    else if (heat->cells == CELLS_BLOCKS)
        draw_block(doc, heat, grid, row, col, ascii);
    else if (heat->shades)
        draw_shaded_number(doc, heat, grid, row, col, ascii);
    else
        draw_tinted_number(doc, heat, grid, row, col, ascii);
}
