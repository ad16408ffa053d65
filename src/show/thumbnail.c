/* See thumbnail.h. */
#include "show/thumbnail.h"

#include <math.h>
#include <string.h>

#include "base/size.h"
#include "show/heat_cell.h"

/* Where cell i of `cells` begins among n numbers; each has one number at least. */
static size_t begin_of(size_t i, size_t n, size_t cells)
{
    return i * n / cells;
}

static size_t end_of(size_t i, size_t n, size_t cells)
{
    return size_max(begin_of(i + 1, n, cells), begin_of(i, n, cells) + 1);
}

static uint8_t tint_of_weight(float weight)
{
    return weight > 0 ? (uint8_t)lroundf(sqrtf(fminf(weight, 1)) * (HEAT_TINTS - 1)) : 0;
}

static uint8_t tint_of_change(float change)
{
    float size = sqrtf(fminf(fabsf(change), 1));
    return (uint8_t)lroundf(127.5F + (change < 0 ? -127.5F : 127.5F) * size);
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

static void shrink(const float *x, size_t n_rows, size_t n_cols, size_t rows, size_t cols,
                   uint8_t (*tint_of)(float), uint8_t *ret_tints)
{
    for (size_t row = 0; row < rows; row++)
        for (size_t col = 0; col < cols; col++)
            ret_tints[row * cols + col] = tint_of(
                largest_of(x, n_cols, begin_of(row, n_rows, rows), end_of(row, n_rows, rows),
                           begin_of(col, n_cols, cols), end_of(col, n_cols, cols)));
}

void thumbnail_shrink(const float *x, size_t n_rows, size_t n_cols, size_t rows, size_t cols,
                      uint8_t *ret_tints)
{
    shrink(x, n_rows, n_cols, rows, cols, tint_of_weight, ret_tints);
}

void thumbnail_shrink_signed(const float *x, size_t n_rows, size_t n_cols, size_t rows, size_t cols,
                             uint8_t *ret_tints)
{
    shrink(x, n_rows, n_cols, rows, cols, tint_of_change, ret_tints);
}

size_t thumbnail_rows_each(const struct show_options *options)
{
    return options->colour && !options->ascii ? 2 : 1;
}

/* The upper half block in the tint of the upper row, on the tint of the lower one, or on nothing.
 */
static void put_half(struct doc *doc, int first, const uint8_t *upper, const uint8_t *lower)
{
    static const char half[] = "\xE2\x96\x80";
    struct span look = {.style = STYLE_NUMBER,
                        .front = (int16_t)(first + *upper),
                        .back = (int16_t)(lower != NULL ? first + *lower : TINT_NONE)};
    doc_put_span(doc, half, sizeof half - 1, look);
}

/* A shade; on a tint of its own where there is colour. */
static void put_whole(struct doc *doc, int first, uint8_t tint, const struct show_options *options)
{
    const char *shade = options->colour        ? " "
                        : first == TINT_SIGNED ? heat_change_sign(tint)
                                               : heat_shade(tint, options->ascii);
    struct span look = {.style = STYLE_NUMBER,
                        .front = TINT_NONE,
                        .back = (int16_t)(options->colour ? first + tint : TINT_NONE)};
    doc_put_span(doc, shade, strlen(shade), look);
}

void thumbnail_put_line(struct doc *doc, const uint8_t *tints, int first, size_t rows, size_t cols,
                        size_t line, const struct show_options *options)
{
    size_t each = thumbnail_rows_each(options), row = line * each;
    for (size_t col = 0; col < cols; col++) {
        const uint8_t *cell = row < rows ? tints + row * cols + col : NULL;
        if (cell == NULL)
            doc_add(doc, STYLE_PLAIN, " ");
        else if (each == 2)
            put_half(doc, first, cell, row + 1 < rows ? cell + cols : NULL);
        else
            put_whole(doc, first, *cell, options);
    }
}
