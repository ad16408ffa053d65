/* See thumbnail.h. */
#include "show/thumbnail.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "show/heat_cell.h"

static size_t ceil_div(size_t a, size_t b)
{
    return (a + b - 1) / b;
}

/* ---- the size ---- */

size_t thumbnail_rows_each(const struct show_options *options)
{
    return options->colour && !options->ascii ? 2 : 1;
}

struct thumbnail thumbnail_fit(size_t n, size_t cols, size_t rows,
                               const struct show_options *options)
{
    /* Half a line is about as high as a column is wide; a whole line is twice as high. */
    size_t aspect = thumbnail_rows_each(options) == 2 ? 1 : 2;
    struct thumbnail thumbnail = {.n = n, .n_cells = size_min(n, size_min(cols, rows))};
    size_t scale = size_min(cols / (aspect * thumbnail.n_cells), rows / thumbnail.n_cells);
    thumbnail.cell_cols = scale > 0 ? aspect * scale : 1;
    thumbnail.cell_rows = size_max(scale, 1);
    return thumbnail;
}

size_t thumbnail_cols(const struct thumbnail *thumbnail)
{
    return thumbnail->n_cells * thumbnail->cell_cols;
}

size_t thumbnail_lines(const struct thumbnail *thumbnail, const struct show_options *options)
{
    return ceil_div(thumbnail->n_cells * thumbnail->cell_rows, thumbnail_rows_each(options));
}

/* ---- the tints ---- */

static int16_t tint_of_weight(float weight)
{
    return weight > 0 ? (int16_t)lroundf(sqrtf(fminf(weight, 1)) * (HEAT_TINTS - 1)) : 0;
}

static int16_t tint_of_change(float change)
{
    float size = sqrtf(fminf(fabsf(change), 1));
    return (int16_t)(TINT_SIGNED + lroundf(127.5F + (change < 0 ? -127.5F : 127.5F) * size));
}

/* The number that is largest by size in rows [top, end) and columns [left, right). Written so that
 * nothing branches on a number: all heads of a model are half a million of them. */
static float largest_of(const float *x, size_t n_cols, size_t top, size_t end, size_t left,
                        size_t right)
{
    float most = 0, least = 0;
    for (size_t i = top; i < end; i++)
        for (size_t j = left; j < right; j++) {
            float number = x[i * n_cols + j];
            most = number > most ? number : most;
            least = number < least ? number : least;
        }
    return most >= -least ? most : least;
}

/* Where cell i begins among the numbers; i may be n_cells. */
static size_t begin_of(const struct thumbnail *thumbnail, size_t i)
{
    return i * thumbnail->n / thumbnail->n_cells;
}

void thumbnail_shrink(const struct thumbnail *thumbnail, const float *x, int16_t *ret_tints)
{
    size_t n = thumbnail->n, cells = thumbnail->n_cells;
    for (size_t row = 0; row < cells; row++)
        for (size_t col = 0; col < cells; col++) {
            int16_t *tint = &ret_tints[row * cells + col];
            if (thumbnail->is_causal && col > row) {
                *tint = TINT_NONE;
                continue;
            }
            float number = largest_of(x, n, begin_of(thumbnail, row), begin_of(thumbnail, row + 1),
                                      begin_of(thumbnail, col), begin_of(thumbnail, col + 1));
            *tint = thumbnail->is_signed ? tint_of_change(number) : tint_of_weight(number);
        }
}

/* ---- the lines ---- */

/* Two cells, one above the other, as a half block in the tint of one on the tint of the other. */
static void put_halves(struct doc *doc, int16_t upper, int16_t lower)
{
    static const char upper_half[] = "\xE2\x96\x80", lower_half[] = "\xE2\x96\x84";
    struct span look = {.style = STYLE_NUMBER, .front = upper, .back = lower};
    if (upper != TINT_NONE) {
        doc_put_span(doc, upper_half, sizeof upper_half - 1, look);
    } else if (lower != TINT_NONE) {
        look.front = lower;
        look.back = TINT_NONE;
        doc_put_span(doc, lower_half, sizeof lower_half - 1, look);
    } else {
        doc_add(doc, STYLE_PLAIN, " ");
    }
}

/* One cell as a shade; on a tint of its own where there is colour. */
static void put_whole(struct doc *doc, const struct thumbnail *thumbnail, int16_t tint,
                      const struct show_options *options)
{
    const char *shade = options->colour || tint == TINT_NONE ? " "
                        : thumbnail->is_signed               ? heat_change_sign(tint - TINT_SIGNED)
                                                             : heat_shade(tint, options->ascii);
    struct span look = {.style = STYLE_NUMBER,
                        .front = TINT_NONE,
                        .back = (int16_t)(options->colour ? tint : TINT_NONE)};
    doc_put_span(doc, shade, strlen(shade), look);
}

/* The tint in a row of the drawing, whose cells are cell_rows high. */
static int16_t tint_at(const struct thumbnail *thumbnail, const int16_t *tints, size_t row,
                       size_t cell_col)
{
    size_t cell_row = row / thumbnail->cell_rows;
    return cell_row < thumbnail->n_cells ? tints[cell_row * thumbnail->n_cells + cell_col]
                                         : TINT_NONE;
}

void thumbnail_put_line(struct doc *doc, const struct thumbnail *thumbnail, const int16_t *tints,
                        size_t line, const struct show_options *options)
{
    size_t each = thumbnail_rows_each(options);
    for (size_t col = 0; col < thumbnail_cols(thumbnail); col++) {
        size_t cell = col / thumbnail->cell_cols;
        if (each == 2)
            put_halves(doc, tint_at(thumbnail, tints, 2 * line, cell),
                       tint_at(thumbnail, tints, 2 * line + 1, cell));
        else
            put_whole(doc, thumbnail, tint_at(thumbnail, tints, line, cell), options);
    }
}
