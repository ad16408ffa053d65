/* Tensors as heatmaps: see heat.h. */
#include "show/heat.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "show/grid_internal.h"
#include "show/heat_cell.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    LINES_MAX = 40, /* lines of cells without `full` */
    TICK_COLS = 10, /* columns from one position in the heading to the next */
    RAMP_MAX = 16,  /* tints shown in the legend, fewer where there is little room */
    RAMP_MIN = 4,
    PART_GAP = 3,   /* columns between the parts of the legend, and between pictures */
    DIGITS_MIN = 2, /* decimals that are left of numbers where more do not fit */
    LABEL_MIN = 3,  /* columns that are left of a name over numbers */
};

/* Numbers of one sign, the least of them so much of the greatest, are nearly even. */
static const double NEARLY_EVEN = 0.8;
/* How far weights of a row may add up to something else than 1: float32 sums of thousands. */
static const double SUM_TOLERANCE = 1e-4;

const char *heat_scale_name(enum heat_scale scale)
{
    static const char *const names[HEAT_SCALES] = {
        [HEAT_AUTO] = "auto",     [HEAT_ROW] = "row",   [HEAT_MATRIX] = "matrix",
        [HEAT_SHARED] = "shared", [HEAT_UNIT] = "unit",
    };
    return names[scale];
}

/* ---- the range of the numbers, and what the colours stand for ---- */

bool heat_rows_are_weights(const struct tensor *x, size_t *ret_n_ones)
{
    size_t size = tensor_size(x), n_ones = 0;
    if (x->n_axes == 0 || size == 0)
        return false;
    size_t n_cols = x->shape[x->n_axes - 1];
    double sum = 0;
    for (size_t i = 0; i < size; i++) {
        float weight = tensor_at_position(x, i);
        if (!(weight >= 0))
            return false;
        sum = (i % n_cols > 0 ? sum : 0) + (double)weight;
        bool is_last = i % n_cols == n_cols - 1;
        if (is_last && sum != 0 && !(fabs(sum - 1) < SUM_TOLERANCE))
            return false;
        n_ones += is_last && sum != 0 ? 1 : 0;
    }
    *ret_n_ones = n_ones;
    return true;
}

bool heat_is_weights(const struct tensor *x)
{
    size_t n_ones;
    return !x->is_bool && heat_rows_are_weights(x, &n_ones) && n_ones > 0;
}

static bool is_nearly_even(const struct heat_range *range)
{
    double low = fabs(range->lowest), high = fabs(range->highest);
    bool one_sign = range->lowest > 0 || range->highest < 0;
    return range->n_finite > 1 && one_sign && fmin(low, high) >= NEARLY_EVEN * fmax(low, high);
}

/* The range of all numbers of a picture, and how many of its rows are nearly even. */
static void measure(struct heat *heat, const struct picture *picture)
{
    heat->rows_each = heat->cols_each = 1;
    for (size_t i = 0, n = grid_count(picture); i < n; i++) {
        struct grid grid = grid_of(picture, i);
        heat->n_cols = grid.n_cols;
        for (size_t row = 0; row < grid.n_rows; row++) {
            struct heat_range range = heat_range_of_row(heat, &grid, row);
            heat_range_add(&heat->range, &range);
            heat->n_rows_all += range.n_finite > 1 ? 1 : 0;
            heat->n_rows_even += is_nearly_even(&range) ? 1 : 0;
        }
    }
}

/* Weights begin at 0, and so do numbers that are nearly even, above it or below: differences that
 * are small must not fill all colours. */
static struct heat_ends ends_of(const struct heat *heat, const struct heat_range *range)
{
    struct heat_ends ends = {range->lowest, range->highest};
    bool is_constant = !heat->is_weights && ends.lowest == ends.highest;
    if (heat->scale == HEAT_UNIT || heat->style.form == NUMBER_BOOL)
        ends = (struct heat_ends){0, 1};
    else if (heat->is_weights || (!is_constant && is_nearly_even(range)))
        ends = (struct heat_ends){fmin(ends.lowest, 0), fmax(ends.highest, 0)};
    return ends;
}

/* Takes the ends for the rows on one line. */
static void take_row_ends(struct heat *heat, const struct grid *grid, size_t row)
{
    for (size_t i = 0; heat->scale == HEAT_ROW && i < 2 && row + i < heat->n_rows; i++) {
        struct heat_range range = heat_range_of_row(heat, grid, row + i);
        heat->ends[i] = ends_of(heat, &range);
        if (heat->ends[i].lowest == 0 && heat->ends[i].highest == 0)
            heat->ends[i].highest = 1; /* a row of zeros is blank */
    }
}

/* ---- headings ---- */

/* Each name ends over the end of its numbers, or as far to the right of it as it must and as the
 * name after it leaves room. It loses the letters for which that is not enough. */
static void draw_wide_headings(struct doc *doc, const struct heat *heat, const struct grid *grid,
                               const struct show_options *options)
{
    size_t after = heat->shades ? heat_gap(heat) : 1; /* columns of a cell after its number */
    after += heat->added_cols - heat->left_cols;
    size_t at = 0, begin = 0; /* columns of the line already filled; where a name may begin */
    struct heading heading = grid_col_heading(grid, 0, options), next = heading;
    for (size_t col = 0; col < grid->n_cols; col++, heading = next) {
        size_t end = heat->head_cols + (col + 1) * heat->cell_cols - after, spare = after;
        if (col + 1 < grid->n_cols) {
            next = grid_col_heading(grid, col + 1, options);
            spare = heat->cell_cols - size_min(next.cols + 1, heat->cell_cols);
        }
        if (heading.cols > end + spare - begin)
            grid_cut_heading(&heading, end + spare - begin);
        begin = size_max(begin, end - size_min(heading.cols, end));
        grid_pad(doc, begin - at);
        grid_put_left(doc, &heading, 0);
        at = begin + heading.cols;
        begin = at + 1;
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

/* The lines that names of columns take where they are written downwards. */
static size_t standing_lines(const struct heat *heat, const struct grid *grid,
                             const struct show_options *options)
{
    size_t height = 0;
    for (size_t col = 0; col < grid->n_cols; col++) {
        struct heading heading = grid_col_heading(grid, col, options);
        height = size_max(height, count_letters(&heading));
    }
    return heat->heading_lines > 0 ? size_min(height, heat->heading_lines) : height;
}

/* Labels of columns too narrow for them, written downwards and ending above their column. */
static void draw_standing_headings(struct doc *doc, const struct heat *heat,
                                   const struct grid *grid, const struct show_options *options)
{
    size_t height = standing_lines(heat, grid, options);
    for (size_t line = 0; line < height; line++) {
        size_t at = 0; /* columns of the line already filled */
        for (size_t col = 0; col < grid->n_cols; col++) {
            struct heading heading = grid_col_heading(grid, col, options);
            size_t above = height - size_min(count_letters(&heading), height);
            if (line < above)
                continue;
            size_t target = heat->head_cols + col * heat->cell_cols + heat->left_cols;
            grid_pad(doc, target - at);
            at = target + put_letter(doc, &heading, line - above);
        }
        doc_end_line(doc);
    }
}

/* True where all names fit over cells that were made wider. */
static bool names_lie(const struct heat *heat, const struct grid *grid,
                      const struct show_options *options)
{
    for (size_t col = 0; col < grid->n_cols; col++)
        if (grid_col_heading(grid, col, options).cols >= heat->cell_cols)
            return false;
    return true;
}

/* Each name over the middle of its cell. */
static void draw_lying_headings(struct doc *doc, const struct heat *heat, const struct grid *grid,
                                const struct show_options *options)
{
    size_t at = 0; /* columns of the line already filled */
    for (size_t col = 0; col < grid->n_cols; col++) {
        struct heading heading = grid_col_heading(grid, col, options);
        size_t target = heat->head_cols + col * heat->cell_cols;
        target += (heat->cell_cols - heading.cols) / 2;
        grid_pad(doc, target - at);
        grid_put_left(doc, &heading, 0);
        at = target + heading.cols;
    }
    doc_end_line(doc);
}

/* A position at the left of every few cells, while it does not reach beyond the last of them. */
static void draw_ticks(struct doc *doc, const struct heat *heat)
{
    size_t every = size_max(TICK_COLS / heat->cell_cols, 1);
    size_t pad = heat->head_cols + heat->left_cols;
    for (size_t col = 0; col < heat->n_cols; col += every) {
        struct heading at = grid_position_heading(col * heat->cols_each);
        if (col > 0 && at.cols > (heat->n_cols - col) * heat->cell_cols)
            break;
        grid_pad(doc, pad);
        grid_put_left(doc, &at, 0);
        pad = every * heat->cell_cols - at.cols;
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
    else if (heat->cells == CELLS_BLOCKS && named && names_lie(heat, grid, options))
        draw_lying_headings(doc, heat, grid, options);
    else if (heat->cells == CELLS_BLOCKS && named)
        draw_standing_headings(doc, heat, grid, options);
    else
        draw_ticks(doc, heat);
}

static size_t rows_in_line(const struct heat *heat)
{
    return heat->cells == CELLS_SMALL && !heat->shades ? 2 : 1;
}

/* One of the lines of a row; the middle one has the heading of its first row. */
static void draw_line_of_row(struct doc *doc, const struct heat *heat, const struct grid *grid,
                             size_t row, bool is_middle, const struct show_options *options)
{
    if (is_middle && heat->head_cols > 0) {
        struct heading heading = grid_row_heading(grid, row * heat->rows_each, options);
        grid_put_left(doc, &heading, heat->head_cols);
    } else {
        grid_pad(doc, heat->head_cols);
    }
    for (size_t col = 0; col < heat->n_cols; col++)
        heat_draw_cell(doc, heat, grid, row, col, is_middle, options->ascii);
    doc_end_line(doc);
}

static void draw_table(struct doc *doc, const struct grid *grid, const struct show_options *options,
                       const void *style)
{
    struct heat own = *(const struct heat *)style, *heat = &own;
    draw_col_headings(doc, heat, grid, options);
    for (size_t row = 0; row < heat->n_rows && !doc->failed; row += rows_in_line(heat)) {
        take_row_ends(heat, grid, row);
        for (size_t line = 0; line < heat->lines_each; line++)
            draw_line_of_row(doc, heat, grid, row, line == (heat->lines_each - 1) / 2, options);
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

/* Columns from one cell with a number to the next, when names take no more than label_cols. */
static size_t measure_number_cell(const struct heat *heat, const struct grid *grid,
                                  size_t label_cols, const struct show_options *options)
{
    size_t around = heat->shades ? heat_gap(heat) : HEAT_BLOCK_COLS;
    size_t inside = heat->number_cols;
    if (heat->shades)
        inside += heat_shade_cols(heat) + (heat->is_tight ? 0 : 1);
    size_t first = grid->col_labels != NULL ? 0 : grid->n_cols - 1; /* the widest position */
    for (size_t col = first; col < grid->n_cols; col++) {
        struct heading heading = grid_col_heading(grid, col, options);
        bool is_name = grid->col_labels != NULL;
        inside = size_max(inside, is_name ? size_min(heading.cols, label_cols) : heading.cols);
    }
    return inside + around;
}

/* The widest number in the heat's style; a hidden one takes one column. */
static size_t measure_numbers(const struct heat *heat)
{
    struct number_range range = {.lowest = (float)heat->range.lowest,
                                 .highest = (float)heat->range.highest,
                                 .n_finite = heat->range.n_finite,
                                 .n_plus_inf = heat->range.n_inf,
                                 .n_nan = heat->range.n_nan};
    return number_widest(&range, heat->style);
}

/* Makes cells with numbers no wider than cols_max: as they are; else with fewer decimals; else with
 * shorter names too, and shades in less space. False when even that is wider. */
static bool fit_numbers(struct heat *heat, const struct grid *grid, size_t cols_max,
                        const struct show_options *options)
{
    int digits = heat->style.digits;
    int least = heat->style.form == NUMBER_FIXED && digits > DIGITS_MIN ? DIGITS_MIN : digits;
    for (int squeezed = 0; squeezed < 2; squeezed++)
        for (heat->style.digits = digits; heat->style.digits >= least; heat->style.digits--) {
            heat->is_tight = squeezed > 0;
            heat->number_cols = measure_numbers(heat);
            size_t label_cols = squeezed > 0 ? size_max(heat->number_cols, LABEL_MIN) : SIZE_MAX;
            size_t cols = measure_number_cell(heat, grid, label_cols, options);
            if (cols > cols_max)
                continue;
            /* what the cells leave is for the names */
            heat->cell_cols =
                size_min(measure_number_cell(heat, grid, SIZE_MAX, options), cols_max);
            return true;
        }
    heat->style.digits = digits;
    heat->is_tight = false;
    return false;
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

/* Takes the largest cells that fit into `room` columns and lines_max lines, and averages where the
 * smallest are too many. */
static void choose_cells(struct heat *heat, const struct grid *grid, size_t room, size_t lines_max,
                         const struct show_options *options)
{
    bool few_rows = grid->n_rows <= lines_max;
    average(heat, grid, grid->n_rows, grid->n_cols);
    if (few_rows && fit_numbers(heat, grid, room / grid->n_cols, options)) {
        heat->cells = CELLS_NUMBERS;
    } else if (few_rows && grid->n_cols <= room / HEAT_BLOCK_COLS) {
        heat->cells = CELLS_BLOCKS;
        heat->cell_cols = HEAT_BLOCK_COLS;
    } else {
        heat->cells = CELLS_SMALL;
        heat->cell_cols = 1;
        average(heat, grid, lines_max * rows_in_line(heat), room);
    }
}

static void lay_out(struct heat *heat, const struct grid *grid, const struct show_options *options)
{
    heat->head_cols = measure_headings(heat, grid, options);
    heat->lines_each = 1;
    choose_cells(heat, grid, grid_width(options) - heat->head_cols,
                 options->full ? grid->n_rows : LINES_MAX, options);
}

/* Makes cells wider and higher in whole multiples, about square at most: the rows then take
 * lines_max lines or less. */
static void enlarge(struct heat *heat, size_t room, size_t lines_max)
{
    size_t lines = size_max(lines_max / heat->n_rows, 1), own_cols = heat->cell_cols;
    size_t times =
        size_min(rounded_up(lines * HEAT_BLOCK_COLS, own_cols), room / (heat->n_cols * own_cols));
    heat->cell_cols = size_max(times, 1) * own_cols;
    heat->added_cols = heat->cell_cols - own_cols;
    heat->left_cols = heat->added_cols / 2;
    heat->lines_each = size_min(lines, size_max(heat->cell_cols / HEAT_BLOCK_COLS, 1));
}

/* Cells of the usual size become larger, within cols_max columns and extra_lines more lines. Small
 * ones first become blocks, if there is room for that. */
static void grow(struct heat *heat, const struct grid *grid, size_t extra_lines, size_t cols_max,
                 const struct show_options *options)
{
    size_t room = size_min(cols_max, grid_width(options));
    room -= size_min(room, heat->head_cols);
    size_t lines_max = rounded_up(heat->n_rows, rows_in_line(heat)) + extra_lines;
    if (room == 0)
        return;
    if (heat->cells == CELLS_SMALL) {
        size_t names = grid->col_labels != NULL ? standing_lines(heat, grid, options) : 1;
        lines_max -= size_min(names - size_min(names, 1), extra_lines);
        choose_cells(heat, grid, room, lines_max, options);
    }
    if (heat->cells != CELLS_SMALL)
        enlarge(heat, room, lines_max);
}

/* ---- the legend ---- */

/* Tints or shades from the lowest to the highest, in at most this many columns. */
static void draw_ramp(struct doc *doc, const struct heat *heat, size_t cols, bool ascii)
{
    int n_steps = heat->style.form == NUMBER_BOOL ? 2
                  : heat->shades                  ? heat_shades(ascii)
                  : cols > RAMP_MAX               ? RAMP_MAX
                  : cols < RAMP_MIN               ? RAMP_MIN
                                                  : (int)cols;
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

/* The ends of the colours, in words, before and after the ramp. */
struct ends_text {
    char low[2 * NUMBER_TEXT], high[2 * NUMBER_TEXT];
};

static void write_row_ends(const struct heat *heat, struct ends_text *text)
{
    bool all_even = heat->n_rows_even > 0 && heat->n_rows_even == heat->n_rows_all;
    bool from_zero = heat->is_weights || (all_even && heat->range.lowest > 0);
    snprintf(text->low, sizeof text->low, "each row: %s", from_zero ? "0" : "its lowest");
    snprintf(text->high, sizeof text->high, "its highest");
}

static void write_unit_ends(const struct heat *heat, struct ends_text *text)
{
    snprintf(text->low, sizeof text->low, "fixed: 0%s", heat->range.lowest < 0 ? " or less" : "");
    snprintf(text->high, sizeof text->high, "1%s", heat->range.highest > 1 ? " or more" : "");
}

static void write_matrix_ends(const struct heat *heat, int digits, struct ends_text *text)
{
    struct heat_ends ends = ends_of(heat, &heat->range);
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    if (heat->style.form == NUMBER_BOOL) {
        number_write(0, heat->style, low);
        number_write(1, heat->style, high);
    } else {
        number_short((float)ends.lowest, digits, low);
        number_short((float)ends.highest, digits, high);
    }
    bool is_bool = heat->style.form == NUMBER_BOOL;
    snprintf(text->low, sizeof text->low, "%s%s%s", heat->scale == HEAT_SHARED ? "one scale: " : "",
             is_bool || ends.lowest == heat->range.lowest ? "lowest " : "", low);
    snprintf(text->high, sizeof text->high, "%s%s", high,
             is_bool || ends.highest == heat->range.highest ? " highest" : "");
}

/* Every number has one tint, and so there is no ramp to draw. */
static bool draws_constant(const struct heat *heat)
{
    struct heat_ends ends = ends_of(heat, &heat->range);
    return ends.lowest == ends.highest && heat->scale != HEAT_ROW;
}

static void draw_scale(struct doc *doc, const struct heat *heat, const struct show_options *options)
{
    struct ends_text text;
    char number[NUMBER_TEXT];
    if (heat->range.n_finite == 0) {
        doc_add(doc, STYLE_QUIET, "no finite numbers");
        return;
    }
    if (draws_constant(heat)) {
        number_short((float)heat->range.lowest, options->digits, number);
        doc_add(doc, STYLE_QUIET, "every finite number is %s", number);
        return;
    }
    bool is_bool = heat->style.form == NUMBER_BOOL;
    if (!is_bool && heat->scale == HEAT_ROW)
        write_row_ends(heat, &text);
    else if (!is_bool && heat->scale == HEAT_UNIT)
        write_unit_ends(heat, &text);
    else
        write_matrix_ends(heat, options->digits, &text);
    size_t taken = strlen(text.low) + strlen(text.high) + 2, width = grid_width(options);
    doc_add(doc, STYLE_QUIET, "%s ", text.low);
    draw_ramp(doc, heat, width > taken ? width - taken : 0, options->ascii);
    doc_add(doc, STYLE_QUIET, " %s", text.high);
}

/* One more part of the legend, on a line of its own where it would not fit. */
static void draw_part(struct doc *doc, const struct show_options *options, const char *format, ...)
    ERROR_FORMAT(3, 4);
static void draw_part(struct doc *doc, const struct show_options *options, const char *format, ...)
{
    char text[4 * NUMBER_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t size = strlen(text), taken = doc_line_width(doc, doc->n_lines) + PART_GAP;
    if (taken + text_width(text, size) > grid_width(options))
        doc_end_line(doc);
    else
        grid_pad(doc, PART_GAP);
    doc_put(doc, STYLE_QUIET, text, size);
}

/* Names the sign of numbers that have no tint; in cells with numbers they stand for themselves. */
static void draw_sign(struct doc *doc, const struct heat *heat, size_t count, float x,
                      const struct show_options *options)
{
    const char *name = isnan(x) ? "nan" : "inf";
    if (count == 0)
        return;
    if (heat->shades || heat->cells == CELLS_BLOCKS)
        draw_part(doc, options, "%c %s", heat_sign(x), name);
    else if (heat->cells == CELLS_SMALL)
        draw_part(doc, options, "%c or blank: %s", heat_sign(x), name);
    else
        draw_part(doc, options, "without tint: %s", name);
}

static void draw_hidden_sign(struct doc *doc, const struct heat *heat,
                             const struct show_options *options)
{
    bool may_be_blank = heat->cells == CELLS_SMALL && !heat->shades;
    if (heat->range.n_hidden > 0)
        draw_part(doc, options, "%s %s%s", heat_hidden_sign(options->ascii),
                  may_be_blank ? "or blank: hidden" : "hidden",
                  heat->range.hides_finite ? "" : " (-inf)");
}

/* Says what the colours can't: that the numbers, or those of some rows, hardly differ. */
static void draw_even(struct doc *doc, const struct heat *heat, const struct show_options *options)
{
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    size_t n_even = heat->n_rows_even, n_rows = heat->n_rows_all;
    bool is_even = is_nearly_even(&heat->range);
    if (heat->style.form == NUMBER_BOOL || heat->range.n_finite < 2)
        return;
    number_short((float)heat->range.lowest, options->digits, low);
    number_short((float)heat->range.highest, options->digits, high);
    if (heat->range.lowest == heat->range.highest && !draws_constant(heat))
        draw_part(doc, options, "every number is %s", low);
    else if (is_even && !draws_constant(heat))
        draw_part(doc, options, "nearly even: %s to %s", low, high);
    else if (heat->scale == HEAT_ROW && n_even == n_rows && n_rows > 1)
        draw_part(doc, options, "each row is nearly even");
    else if (heat->scale == HEAT_ROW && n_even > 0)
        draw_part(doc, options, "%zu of %zu rows nearly even%s", n_even, n_rows,
                  heat->is_weights ? "" : ": from 0");
}

static void draw_legend(struct doc *doc, const struct heat *heat,
                        const struct show_options *options)
{
    draw_scale(doc, heat, options);
    draw_hidden_sign(doc, heat, options);
    draw_sign(doc, heat, heat->range.n_inf, INFINITY, options);
    draw_sign(doc, heat, heat->range.n_nan, NAN, options);
    draw_even(doc, heat, options);
    doc_end_line(doc);
}

/* ---- pictures ---- */

/* What pictures with one scale have in common. */
struct shared {
    struct heat_range range; /* of all their numbers */
    bool is_weights;         /* all of them are */
};

/* A picture measured and laid out, and grown as far as cols_max columns and options->extra_lines
 * go. It has numbers, and an axis at least. shared: with HEAT_SHARED, else NULL. */
static struct heat heat_of(const struct picture *picture, const struct show_options *options,
                           struct heat_options how, const struct shared *shared, size_t cols_max)
{
    struct heat heat = {.style = number_style_of(picture->tensor, options->digits),
                        .is_weights = heat_is_weights(picture->tensor),
                        .is_vector = picture->tensor->n_axes == 1,
                        .heading_lines = how.heading_lines,
                        .shades = options->ascii || !options->colour,
                        .scale = how.scale};
    heat.style.shows_tiny = options->shows_tiny;
    measure(&heat, picture);
    struct grid first = grid_of(picture, 0);
    size_t n_tables = grid_count_shown(picture, options);
    lay_out(&heat, &first, options);
    if (options->extra_lines / n_tables > 0)
        grow(&heat, &first, options->extra_lines / n_tables, cols_max, options);
    if (shared != NULL) {
        heat.range = shared->range;
        heat.is_weights = shared->is_weights;
    } else if (heat.style.form == NUMBER_BOOL) {
        heat.scale = HEAT_MATRIX;
    } else if (heat.scale == HEAT_AUTO || heat.scale == HEAT_SHARED) {
        bool has_rows = tensor_size(picture->tensor) > first.n_cols;
        heat.scale = heat.is_weights && has_rows ? HEAT_ROW : HEAT_MATRIX;
    }
    heat.ends[0] = heat.ends[1] = ends_of(&heat, &heat.range);
    return heat;
}

/* True for a picture that has cells to colour. */
static bool has_cells(const struct picture *picture)
{
    return picture->tensor->n_axes > 0 && tensor_size(picture->tensor) > 0;
}

static void draw_cells(struct doc *doc, const struct picture *picture, const struct heat *heat,
                       const struct show_options *options)
{
    grid_title(doc, picture, options);
    grid_draw_all(doc, picture, options, draw_table, heat);
    if (heat_is_averaged(heat))
        doc_line(doc, STYLE_QUIET, "each cell is the mean of %zux%zu numbers", heat->rows_each,
                 heat->cols_each);
}

struct heat_lines heat_show_as(struct doc *doc, const struct picture *picture,
                               const struct show_options *options, struct heat_options how)
{
    size_t before = doc->n_lines;
    if (!has_cells(picture)) {
        matrix_show(doc, picture, options);
        return (struct heat_lines){.n_headings = 0};
    }
    struct heat heat = heat_of(picture, options, how, NULL, grid_width(options));
    draw_cells(doc, picture, &heat, options);
    size_t n_cell_lines = rounded_up(heat.n_rows, rows_in_line(&heat)) * heat.lines_each;
    size_t notes = heat_is_averaged(&heat) ? 1 : 0, end = doc->n_lines - before - notes;
    draw_legend(doc, &heat, options);
    return (struct heat_lines){.n_headings = end - size_min(n_cell_lines, end),
                               .n_legend = doc->n_lines - before - end};
}

void heat_show(struct doc *doc, const struct picture *picture, const struct show_options *options)
{
    (void)heat_show_as(doc, picture, options, (struct heat_options){.scale = HEAT_AUTO});
}

/* ---- several pictures ---- */

/* One of them, drawn for the width that it gets. */
struct member {
    struct doc doc;
    size_t cols_max; /* that its cells may grow to fill; 0: none */
    enum cells cells;
};

/* One scale for all: false if that can't be, since a picture has no cells or holds booleans. */
static bool share(const struct picture *pictures, size_t n, const struct show_options *options,
                  struct shared *ret)
{
    *ret = (struct shared){.is_weights = true};
    for (size_t i = 0; i < n; i++) {
        if (!has_cells(&pictures[i]) || pictures[i].tensor->is_bool)
            return false;
        struct heat one =
            heat_of(&pictures[i], options, (struct heat_options){.scale = HEAT_MATRIX}, NULL, 0);
        heat_range_add(&ret->range, &one.range);
        ret->is_weights = ret->is_weights && one.is_weights;
    }
    return true;
}

/* Draws each of them, grown where it has a width to grow to; those that share a scale without the
 * legend. Returns the columns that they take side by side. */
static size_t draw_members(struct member *members, const struct picture *pictures, size_t n,
                           const struct show_options *options, enum heat_scale scale,
                           const struct shared *shared)
{
    struct heat_options how = {.scale = shared != NULL ? HEAT_SHARED : scale};
    size_t cols = 0;
    for (size_t i = 0; i < n; i++) {
        struct doc *doc = &members[i].doc;
        doc_clear(doc);
        members[i].cells = CELLS_NUMBERS;
        if (!has_cells(&pictures[i])) {
            matrix_show(doc, &pictures[i], options);
        } else {
            struct heat heat = heat_of(&pictures[i], options, how, shared, members[i].cols_max);
            members[i].cells = heat.cells;
            draw_cells(doc, &pictures[i], &heat, options);
            if (shared == NULL)
                draw_legend(doc, &heat, options);
        }
        cols += doc_width(doc) + (i > 0 ? PART_GAP : 0);
    }
    return cols;
}

static bool have_numbers(const struct member *members, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (members[i].cells != CELLS_NUMBERS)
            return false;
    return true;
}

static void append_beside(struct doc *doc, struct member *members, size_t n)
{
    struct doc row, more;
    doc_init(&row);
    doc_init(&more);
    doc_append(&row, &members[0].doc, 0);
    for (size_t i = 1; i < n; i++) {
        struct doc before = row;
        doc_append_beside(&more, &before, &members[i].doc, PART_GAP);
        row = more;
        more = before;
        doc_clear(&more);
    }
    doc_append(doc, &row, 0);
    doc_release(&row);
    doc_release(&more);
}

/* Draws them as they are, where they stand side by side within the width; else each as wide as its
 * share, where all then have their numbers, or would have none in any case; else as they are, one
 * below the other. Returns true for side by side; ret_options: what they were drawn with. */
static bool draw_usual(struct member *members, const struct picture *pictures, size_t n,
                       const struct show_options *options, enum heat_scale scale,
                       const struct shared *shared, struct show_options *ret_options)
{
    size_t width = grid_width(options), gaps = (n - 1) * PART_GAP;
    struct show_options narrow = *options;
    narrow.width_cols = width > gaps ? (width - gaps) / n : 0;
    *ret_options = *options;
    if (draw_members(members, pictures, n, options, scale, shared) <= width)
        return true;
    bool had_numbers = have_numbers(members, n);
    if (narrow.width_cols >= GRID_WIDTH_MIN &&
        draw_members(members, pictures, n, &narrow, scale, shared) <= width &&
        (have_numbers(members, n) || !had_numbers)) {
        *ret_options = narrow;
        return true;
    }
    draw_members(members, pictures, n, options, scale, shared);
    return false;
}

/* Draws them again if there are more lines than they take: side by side, all get as many more
 * columns; one below the other, each gets its share of the lines. */
static void grow_members(struct member *members, const struct picture *pictures, size_t n,
                         const struct show_options *usual, size_t width, bool beside,
                         size_t extra_lines, enum heat_scale scale, const struct shared *shared)
{
    struct show_options grown = *usual;
    size_t taken = (n - 1) * PART_GAP;
    grown.extra_lines = beside ? extra_lines : extra_lines / n;
    for (size_t i = 0; i < n; i++)
        taken += doc_width(&members[i].doc);
    for (size_t i = 0; i < n; i++)
        members[i].cols_max =
            beside ? doc_width(&members[i].doc) + (width - size_min(taken, width)) / n : width;
    draw_members(members, pictures, n, &grown, scale, shared);
}

static void lay_out_members(struct doc *doc, struct member *members, const struct picture *pictures,
                            size_t n, const struct show_options *options, enum heat_scale scale,
                            const struct shared *shared)
{
    struct show_options usual = *options, used;
    usual.extra_lines = 0;
    bool beside = draw_usual(members, pictures, n, &usual, scale, shared, &used);
    if (options->extra_lines > 0)
        grow_members(members, pictures, n, &used, grid_width(options), beside, options->extra_lines,
                     scale, shared);
    if (beside)
        append_beside(doc, members, n);
    for (size_t i = 0; !beside && i < n; i++)
        doc_append(doc, &members[i].doc, 0);
}

void heat_show_together(struct doc *doc, const struct picture *pictures, size_t n,
                        const struct show_options *options, enum heat_scale scale)
{
    struct shared shared;
    bool one_scale = n > 1 && (scale == HEAT_AUTO || scale == HEAT_SHARED) &&
                     share(pictures, n, options, &shared);
    struct member *members = calloc(n, sizeof *members);
    if (members == NULL) {
        doc->failed = true;
        return;
    }
    for (size_t i = 0; i < n; i++)
        doc_init(&members[i].doc);
    lay_out_members(doc, members, pictures, n, options, scale, one_scale ? &shared : NULL);
    if (one_scale) {
        struct heat legend =
            heat_of(&pictures[0], options, (struct heat_options){.scale = HEAT_SHARED}, &shared, 0);
        legend.cells = members[0].cells;
        draw_legend(doc, &legend, options);
    }
    for (size_t i = 0; i < n; i++)
        doc_release(&members[i].doc);
    free(members);
}
