/* Tensors as heatmaps: see matrix.h. */
#include "show/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "show/grid.h"
#include "show/heat_cell.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    LINES_MAX = 40,  /* lines of cells without `full` */
    TICK_COLS = 10,  /* columns from one position in the heading to the next */
    RAMP_STEPS = 16, /* tints shown in the legend */
    SIGN_GAP = 3,    /* columns between the parts of the legend */
};

/* Right-aligned over the numbers. */
static void draw_wide_headings(struct doc *doc, const struct heat *heat, const struct grid *grid,
                               const struct show_options *options)
{
    size_t after = heat->shades ? HEAT_GAP : 1; /* columns of a cell after its number */
    grid_pad(doc, heat->head_cols);
    for (size_t col = 0; col < grid->n_cols; col++) {
        struct heading heading = grid_col_heading(grid, col, options);
        grid_put_right(doc, &heading, heat->cell_cols - (col == 0 ? after : 0));
    }
    doc_end_line(doc);
}

/* How many characters a heading has, marks counted with the letters they stand on. */
static size_t count_letters(const struct heading *heading)
{
    size_t count = 0, size = strlen(heading->text);
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(heading->text + at, size - at);
        count += character.cols > 0 ? 1 : 0;
        at += character.size;
    }
    return count;
}

/* Puts letter number `wanted` of the heading, with its marks. Returns the columns it takes. */
static size_t put_letter(struct doc *doc, const struct heading *heading, size_t wanted)
{
    size_t begin = 0, count = 0, cols = 0, size = strlen(heading->text), at = 0;
    while (at < size) {
        struct text_character character = text_character(heading->text + at, size - at);
        if (character.cols > 0 && count++ == wanted) {
            begin = at;
            cols = character.cols;
        } else if (character.cols > 0 && cols > 0) {
            break;
        }
        at += character.size;
    }
    doc_put(doc, heading->style, heading->text + begin, at - begin);
    return cols;
}

/* Labels of columns too narrow for them, written downwards and ending above their column. */
static void draw_standing_headings(struct doc *doc, const struct heat *heat,
                                   const struct grid *grid, const struct show_options *options)
{
    size_t height = 0;
    for (size_t col = 0; col < grid->n_cols; col++) {
        struct heading heading = grid_col_heading(grid, col, options);
        height = size_max(height, count_letters(&heading));
    }
    for (size_t line = 0; line < height; line++) {
        size_t at = 0; /* columns of the line already filled */
        for (size_t col = 0; col < grid->n_cols; col++) {
            struct heading heading = grid_col_heading(grid, col, options);
            size_t above = height - count_letters(&heading);
            if (line < above)
                continue;
            size_t target = heat->head_cols + col * heat->cell_cols;
            grid_pad(doc, target - at);
            at = target + put_letter(doc, &heading, line - above);
        }
        doc_end_line(doc);
    }
}

/* A position at the left of every few cells, while it does not reach beyond the last of them. */
static void draw_ticks(struct doc *doc, const struct heat *heat)
{
    size_t every = TICK_COLS / heat->cell_cols;
    size_t pad = heat->head_cols;
    for (size_t col = 0; col < heat->n_cols; col += every) {
        struct heading at = grid_position_heading(col * heat->cols_each);
        if (col > 0 && at.cols > (heat->n_cols - col) * heat->cell_cols)
            break;
        grid_pad(doc, pad);
        grid_put_left(doc, &at, 0);
        pad = TICK_COLS - at.cols;
    }
    doc_end_line(doc);
}

static void draw_col_headings(struct doc *doc, const struct heat *heat, const struct grid *grid,
                              const struct show_options *options)
{
    bool named = grid->col_labels != NULL;
    if (!named && !grid_wants_positions(grid))
        return;
    if (heat->cells == CELLS_NUMBERS)
        draw_wide_headings(doc, heat, grid, options);
    else if (heat->cells == CELLS_BLOCKS && named)
        draw_standing_headings(doc, heat, grid, options);
    else
        draw_ticks(doc, heat);
}

static size_t rows_in_line(const struct heat *heat)
{
    return heat->cells == CELLS_SMALL && !heat->shades ? 2 : 1;
}

static void draw_table(struct doc *doc, const struct grid *grid, const struct show_options *options,
                       const void *style)
{
    const struct heat *heat = style;
    draw_col_headings(doc, heat, grid, options);
    for (size_t row = 0; row < heat->n_rows && !doc->failed; row += rows_in_line(heat)) {
        if (heat->head_cols > 0) { /* the heading of the line's first row */
            struct heading heading = grid_row_heading(grid, row * heat->rows_each, options);
            grid_put_left(doc, &heading, heat->head_cols);
        }
        for (size_t col = 0; col < heat->n_cols; col++)
            heat_draw_cell(doc, heat, grid, row, col, options->ascii);
        doc_end_line(doc);
    }
}

/* Columns of the row headings and the gap after them. */
static size_t measure_headings(const struct heat *heat, const struct grid *grid,
                               const struct show_options *options)
{
    if (heat->is_vector || (grid->row_labels == NULL && !grid_wants_positions(grid)))
        return 0;
    size_t cols = 0, first = grid->row_labels != NULL ? 0 : grid->n_rows - 1; /* widest position */
    for (size_t row = first; row < grid->n_rows; row++) {
        struct heading heading = grid_row_heading(grid, row, options);
        cols = size_max(cols, heading.cols);
    }
    return cols + HEAT_GAP;
}

/* Columns from one cell with a number to the next. */
static size_t measure_number_cell(const struct heat *heat, const struct grid *grid,
                                  const struct show_options *options)
{
    size_t around = heat->shades ? HEAT_GAP : HEAT_BLOCK_COLS;
    size_t inside = heat->number_cols + (heat->shades ? HEAT_BLOCK_COLS + 1 : 0);
    size_t first = grid->col_labels != NULL ? 0 : grid->n_cols - 1; /* the widest position */
    for (size_t col = first; col < grid->n_cols; col++) {
        struct heading heading = grid_col_heading(grid, col, options);
        inside = size_max(inside, heading.cols);
    }
    return inside + around;
}

static size_t rounded_up(size_t n, size_t parts)
{
    return n / parts + (n % parts > 0 ? 1 : 0);
}

/* Takes as many numbers into a cell as it needs for at most rows_max x cols_max cells. */
static void average(struct heat *heat, const struct grid *grid, size_t rows_max, size_t cols_max)
{
    heat->rows_each = rounded_up(grid->n_rows, rows_max);
    heat->cols_each = rounded_up(grid->n_cols, cols_max);
    heat->n_rows = rounded_up(grid->n_rows, heat->rows_each);
    heat->n_cols = rounded_up(grid->n_cols, heat->cols_each);
}

/* Takes the largest cells that fit, and averages where the smallest are too many. */
static void lay_out(struct heat *heat, const struct grid *grid, const struct show_options *options)
{
    heat->head_cols = measure_headings(heat, grid, options);
    size_t room = grid_width(options) - heat->head_cols;
    size_t lines_max = options->full ? grid->n_rows : LINES_MAX;
    size_t number_cell = measure_number_cell(heat, grid, options);
    bool few_rows = grid->n_rows <= lines_max;
    average(heat, grid, grid->n_rows, grid->n_cols);
    if (few_rows && grid->n_cols <= room / number_cell) {
        heat->cells = CELLS_NUMBERS;
        heat->cell_cols = number_cell;
    } else if (few_rows && grid->n_cols <= room / HEAT_BLOCK_COLS) {
        heat->cells = CELLS_BLOCKS;
        heat->cell_cols = HEAT_BLOCK_COLS;
    } else {
        heat->cells = CELLS_SMALL;
        heat->cell_cols = 1;
        average(heat, grid, lines_max * rows_in_line(heat), room);
    }
}

static void draw_ramp(struct doc *doc, const struct heat *heat, bool ascii)
{
    int n_steps = heat->style.form == NUMBER_BOOL ? 2
                  : heat->shades                  ? heat_shades(ascii)
                                                  : RAMP_STEPS;
    if (heat->shades)
        doc_put(doc, STYLE_QUIET, "[", 1);
    for (int i = 0; i < n_steps; i++) {
        int tint = i * (HEAT_TINTS - 1) / (n_steps - 1);
        struct span look = {.front = TINT_NONE, .back = TINT_NONE};
        const char *shade = heat->shades ? heat_shade(tint, ascii) : " ";
        if (!heat->shades)
            look.back = (int16_t)tint;
        doc_put_span(doc, shade, strlen(shade), look);
    }
    if (heat->shades)
        doc_put(doc, STYLE_QUIET, "]", 1);
}

/* The lowest and the highest number with the tints between them. */
static void draw_scale(struct doc *doc, const struct heat *heat, const struct show_options *options)
{
    char lowest[NUMBER_TEXT], highest[NUMBER_TEXT];
    if (heat->range.n_finite == 0) {
        doc_add(doc, STYLE_QUIET, "no finite numbers");
        return;
    }
    if (heat->style.form == NUMBER_BOOL) {
        number_write(0, heat->style, lowest);
        number_write(1, heat->style, highest);
    } else {
        number_short(heat->range.lowest, options->digits, lowest);
        number_short(heat->range.highest, options->digits, highest);
    }
    if (heat->range.lowest == heat->range.highest) {
        doc_add(doc, STYLE_QUIET, "every finite number is %s", lowest);
        return;
    }
    doc_add(doc, STYLE_QUIET, "lowest %s ", lowest);
    draw_ramp(doc, heat, options->ascii);
    doc_add(doc, STYLE_QUIET, " %s highest", highest);
}

/* Names the signs of numbers without a tint, if there are any; on a line of their own where they
 * would not fit. */
static void draw_sign(struct doc *doc, const struct heat *heat, size_t count, float x,
                      const struct show_options *options)
{
    char name[NUMBER_TEXT], text[2 * NUMBER_TEXT], sign = heat_sign(x);
    if (count == 0)
        return;
    number_write(x, (struct number_style){.form = NUMBER_WHOLE}, name);
    if (heat->shades || heat->cells == CELLS_BLOCKS)
        snprintf(text, sizeof text, "%c %s", sign, name);
    else if (heat->cells == CELLS_SMALL)
        snprintf(text, sizeof text, "%c or blank: %s", sign, name);
    else
        snprintf(text, sizeof text, "without tint: %s", name);
    size_t taken = doc_line_width(doc, doc->n_lines) + SIGN_GAP;
    if (taken + strlen(text) > grid_width(options))
        doc_end_line(doc);
    else
        grid_pad(doc, SIGN_GAP);
    doc_put(doc, STYLE_QUIET, text, strlen(text));
}

static void draw_legend(struct doc *doc, const struct heat *heat,
                        const struct show_options *options)
{
    draw_scale(doc, heat, options);
    draw_sign(doc, heat, heat->range.n_minus_inf, -INFINITY, options);
    draw_sign(doc, heat, heat->range.n_plus_inf, INFINITY, options);
    draw_sign(doc, heat, heat->range.n_nan, NAN, options);
    doc_end_line(doc);
    if (heat_is_averaged(heat))
        doc_line(doc, STYLE_QUIET, "each cell is the mean of %zux%zu numbers", heat->rows_each,
                 heat->cols_each);
}

void heat_show(struct doc *doc, const struct picture *picture, const struct show_options *options)
{
    if (picture->tensor->n_axes == 0) {
        matrix_show(doc, picture, options);
        return;
    }
    grid_title(doc, picture, options);
    if (grid_show_empty(doc, picture))
        return;
    struct heat heat = {.range = number_range_of(picture->tensor),
                        .style = number_style_of(picture->tensor, options->digits),
                        .is_vector = picture->tensor->n_axes == 1,
                        .shades = options->ascii || !options->colour};
    if (heat.style.form == NUMBER_BOOL) { /* however many of them are true */
        heat.range.lowest = 0;
        heat.range.highest = 1;
    }
    heat.number_cols = number_widest(&heat.range, heat.style);
    struct grid first = grid_of(picture, 0);
    lay_out(&heat, &first, options);
    grid_draw_all(doc, picture, options, draw_table, &heat);
    draw_legend(doc, &heat, options);
}
