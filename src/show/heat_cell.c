/* Cells of heatmaps: see heat_cell.h. */
#include "show/heat_cell.h"

#include <math.h>
#include <string.h>

enum { MIDDLE_TINT = 127 }; /* for numbers that are all the same */

char heat_sign(float x)
{
    return isnan(x) ? '?' : x > 0 ? '>' : '<';
}

/* Where x lies between the lowest and the highest number. x must be finite. */
static int tint_of(const struct heat *heat, float x)
{
    double lowest = (double)heat->range.lowest, highest = (double)heat->range.highest;
    if (!(highest > lowest))
        return MIDDLE_TINT;
    double share = ((double)x - lowest) / (highest - lowest);
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

/* Adds the character that stands for x: its shade, or the sign of a number that has no shade. */
static size_t put_shade(const struct heat *heat, float x, bool ascii, char *text)
{
    if (!isfinite(x)) {
        text[0] = heat_sign(x);
        return 1;
    }
    const char *shade = heat_shade(tint_of(heat, x), ascii);
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

/* The mean of a cell's finite numbers; where none is finite, their common value or NaN. */
static float cell_number(const struct heat *heat, const struct grid *grid, size_t row, size_t col)
{
    struct bin rows = bin_of(row, grid->n_rows, heat->rows_each);
    struct bin cols = bin_of(col, grid->n_cols, heat->cols_each);
    float first = grid_number(grid, rows.first, cols.first);
    float common = first;
    double sum = 0;
    size_t n_finite = 0;
    for (size_t i = rows.first; i < rows.end; i++)
        for (size_t j = cols.first; j < cols.end; j++) {
            float x = grid_number(grid, i, j);
            sum += isfinite(x) ? (double)x : 0;
            n_finite += isfinite(x) ? 1 : 0;
            common = x == first ? common : NAN;
        }
    return n_finite > 0 ? (float)(sum / (double)n_finite) : common;
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

/* " 0.4556 " on its tint; a '*' at its end says that it changed. */
static void draw_tinted_number(struct doc *doc, const struct heat *heat, const struct grid *grid,
                               size_t row, size_t col)
{
    char text[NUMBER_TEXT], cell[GRID_HEADING_TEXT];
    float x = grid_number(grid, row, col);
    struct span look = grid_look(grid, row, col);
    size_t size = strlen(number_write(x, heat->style, text));
    memset(cell, ' ', heat->cell_cols);
    memcpy(cell + heat->cell_cols - 1 - size, text, size);
    if (look.style == STYLE_CHANGED)
        cell[heat->cell_cols - 1] = '*';
    if (isfinite(x))
        look.back = (int16_t)tint_of(heat, x);
    doc_put_span(doc, cell, heat->cell_cols, look);
}

/* Two shades, the number, and a '*' where it changed: "##  0.4556*". */
static void draw_shaded_number(struct doc *doc, const struct heat *heat, const struct grid *grid,
                               size_t row, size_t col, bool ascii)
{
    char number[NUMBER_TEXT], cell[GRID_HEADING_TEXT];
    float x = grid_number(grid, row, col);
    struct span look = grid_look(grid, row, col);
    size_t digits = strlen(number_write(x, heat->style, number));
    size_t size = put_shade(heat, x, ascii, cell);
    size += put_shade(heat, x, ascii, cell + size);
    size_t pad = heat->cell_cols - HEAT_GAP - HEAT_BLOCK_COLS - digits;
    memset(cell + size, ' ', pad);
    memcpy(cell + size + pad, number, digits);
    size += pad + digits;
    if (look.style == STYLE_CHANGED)
        cell[size++] = '*';
    doc_put_span(doc, cell, size, look);
    if (col + 1 < grid->n_cols)
        grid_pad(doc, look.style == STYLE_CHANGED ? HEAT_GAP - 1 : HEAT_GAP);
}

/* Two columns of tint, shade or sign; the second is '*' where the number changed. */
static void draw_block(struct doc *doc, const struct heat *heat, const struct grid *grid,
                       size_t row, size_t col, bool ascii)
{
    char cell[16] = "  ";
    float x = grid_number(grid, row, col);
    struct span look = grid_look(grid, row, col);
    bool tinted = isfinite(x) && !heat->shades;
    size_t size = tinted ? 1 : put_shade(heat, x, ascii, cell);
    if (look.style == STYLE_CHANGED)
        cell[size++] = '*';
    else
        size += tinted ? 1 : put_shade(heat, x, ascii, cell + size);
    if (tinted)
        look.back = (int16_t)tint_of(heat, x);
    else if (!isfinite(x) && look.style == STYLE_NUMBER)
        look.style = STYLE_QUIET;
    doc_put_span(doc, cell, size, look);
}

/* One character for two numbers: the upper half block in the tint of the upper one, on the tint of
 * the lower one. A number without a tint leaves its half blank; two of them show a sign. */
static void draw_halves(struct doc *doc, const struct heat *heat, const struct grid *grid,
                        size_t row, size_t col)
{
    static const char upper_half[] = "\xE2\x96\x80", lower_half[] = "\xE2\x96\x84";
    struct span look = cell_look(heat, grid, row, col);
    float upper = cell_number(heat, grid, row, col);
    bool has_lower = row + 1 < heat->n_rows;
    float lower = has_lower ? cell_number(heat, grid, row + 1, col) : NAN;
    look.style = STYLE_NUMBER;
    if (isfinite(upper)) {
        look.front = (int16_t)tint_of(heat, upper);
        look.back = (int16_t)(isfinite(lower) ? tint_of(heat, lower) : TINT_NONE);
        doc_put_span(doc, upper_half, sizeof upper_half - 1, look);
    } else if (isfinite(lower)) {
        look.front = (int16_t)tint_of(heat, lower);
        doc_put_span(doc, lower_half, sizeof lower_half - 1, look);
    } else {
        char sign = heat_sign(upper);
        look.style = STYLE_QUIET;
        doc_put_span(doc, &sign, 1, look);
    }
}

/* One shade for one number, or for the mean of several. */
static void draw_small_shade(struct doc *doc, const struct heat *heat, const struct grid *grid,
                             size_t row, size_t col, bool ascii)
{
    char cell[8];
    struct span look = cell_look(heat, grid, row, col);
    float x = cell_number(heat, grid, row, col);
    look.style = isfinite(x) ? STYLE_NUMBER : STYLE_QUIET;
    doc_put_span(doc, cell, put_shade(heat, x, ascii, cell), look);
}

void heat_draw_cell(struct doc *doc, const struct heat *heat, const struct grid *grid, size_t row,
                    size_t col, bool ascii)
{
    if (heat->cells == CELLS_SMALL && heat->shades)
        draw_small_shade(doc, heat, grid, row, col, ascii);
    else if (heat->cells == CELLS_SMALL)
        draw_halves(doc, heat, grid, row, col);
    else if (heat->cells == CELLS_BLOCKS)
        draw_block(doc, heat, grid, row, col, ascii);
    else if (heat->shades)
        draw_shaded_number(doc, heat, grid, row, col, ascii);
    else
        draw_tinted_number(doc, heat, grid, row, col);
}
