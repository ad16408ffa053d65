/* Tensors as horizontal bars: see matrix.h. */
#include "show/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/size.h"
#include "show/grid_internal.h"
#include "show/heat_cell.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    GAP = 2,           /* columns between label, number and bar; the first may hold a '*' */
    INDENT = 2,        /* columns that bars stand to the right of their row's heading */
    VECTOR_MAX = 40,   /* bars of a vector shown without `full` */
    ROW_MAX = 20,      /* rows of a matrix, and bars of each, shown without `full` */
    PARTS = 8,         /* a bar to the right ends in eighths of a column */
    LEFT_PARTS = 2,    /* a bar to the left in halves: there are no other characters for it */
    BAR_COLS_MIN = 2,  /* the bars take so much even where label and number fill the width */
    BAR_COLS_MAX = 74, /* longer ones tell no more, and the eye loses their line */
    LINES_MAX = 8,     /* of a bar that grew, with the blank ones below it */
    BLANK_EACH = 4,    /* one line in this many is blank, and at least one */
};

/* What all bars of a picture share. */
struct bars {
    struct number_style style;
    size_t indent;
    size_t label_cols, number_cols; /* the widest of each */
    size_t left_cols, right_cols;   /* room for bars on each side of zero */
    double per_col;                 /* how much one column stands for; 0 when there is nothing */
    bool has_axis;                  /* some number is below zero */
    size_t lines_each;              /* of a bar, with the blank ones below it */
};

static void put_repeated(struct doc *doc, const char *string, size_t count, struct span look)
{
    struct text bar = {0};
    text_repeat(&bar, string, count);
    if (bar.failed)
        doc->failed = true;
    else
        doc_put_span(doc, text_string(&bar), bar.size, look);
    text_release(&bar);
}

/* Length of a bar in parts of a column. A number that is not finite has no bar; the number says so.
 */
static size_t length_of(const struct bars *bars, float x, size_t cols_max, unsigned parts)
{
    if (!isfinite(x) || bars->per_col == 0)
        return 0;
    double length = round(fabs((double)x) / bars->per_col * parts);
    size_t longest = cols_max * parts;
    return length < (double)longest ? (size_t)length : longest;
}

/* Length of the part right of zero. */
static size_t right_length(const struct bars *bars, float x, bool ascii)
{
    return x > 0 ? length_of(bars, x, bars->right_cols, ascii ? 1 : PARTS) : 0;
}

static void draw_right(struct doc *doc, const struct bars *bars, float x, struct span look,
                       bool ascii)
{
    static const char *const eighths[PARTS] = {
        "",
        "\xE2\x96\x8F",
        "\xE2\x96\x8E",
        "\xE2\x96\x8D",
        "\xE2\x96\x8C",
        "\xE2\x96\x8B",
        "\xE2\x96\x8A",
        "\xE2\x96\x89",
    };
    size_t length = right_length(bars, x, ascii);
    if (ascii) {
        put_repeated(doc, "#", length, look);
        return;
    }
    put_repeated(doc, "\xE2\x96\x88", length / PARTS, look);
    const char *end = eighths[length % PARTS];
    doc_put_span(doc, end, strlen(end), look);
}

/* A bar that ends at the axis, with the room before it. */
static void draw_left(struct doc *doc, const struct bars *bars, float x, struct span look,
                      bool ascii)
{
    unsigned parts = ascii ? 1 : LEFT_PARTS;
    size_t length = x < 0 ? length_of(bars, x, bars->left_cols, parts) : 0;
    size_t cols = (length + parts - 1) / parts;
    grid_pad(doc, bars->left_cols - cols);
    if (length % parts > 0)
        doc_put_span(doc, "\xE2\x96\x90", 3, look);
    put_repeated(doc, ascii ? "#" : "\xE2\x96\x88", length / parts, look);
}

/* The bar on one of its lines, `gap` columns after the number. */
static void draw_bar(struct doc *doc, const struct bars *bars, float x, struct span look,
                     size_t gap, bool ascii)
{
    if (!bars->has_axis && right_length(bars, x, ascii) == 0)
        return;
    grid_pad(doc, gap);
    look.style = STYLE_NAME;
    if (bars->has_axis) {
        draw_left(doc, bars, x, look, ascii);
        doc_add(doc, STYLE_QUIET, "%s", ascii ? "|" : "\xE2\x94\x82");
    }
    draw_right(doc, bars, x, look, ascii);
}

/* A line of a bar above or below the one with its number. */
static void draw_beside_number(struct doc *doc, const struct bars *bars, float x, struct span look,
                               bool ascii)
{
    size_t before = bars->indent + bars->label_cols + GAP + bars->number_cols;
    draw_bar(doc, bars, x, look, before + GAP, ascii);
    doc_end_line(doc);
}

/* Label, number and bar of one cell, and the bar alone on the lines above and below that. */
static void draw_item(struct doc *doc, const struct bars *bars, const struct grid *grid, size_t row,
                      size_t col, const struct show_options *options)
{
    char text[NUMBER_TEXT + 1];
    bool is_hidden = grid->hidden != NULL && grid_is_hidden(grid, row, col);
    float x = is_hidden ? 0 : grid_number(grid, row, col);
    struct span look = grid_look(grid, row, col);
    struct heading label = grid_col_heading(grid, col, options);
    size_t size = strlen(number_write(x, bars->style, text)), star = 0, cols = size;
    if (is_hidden) {
        size = (size_t)snprintf(text, sizeof text, "%s", heat_hidden_sign(options->ascii));
        cols = 1;
    }
    size_t n_blank = bars->lines_each > 1 ? size_max(bars->lines_each / BLANK_EACH, 1) : 0;
    size_t thick = bars->lines_each - n_blank, middle = (thick - 1) / 2;
    for (size_t line = 0; line < middle; line++)
        draw_beside_number(doc, bars, x, look, options->ascii);
    grid_pad(doc, bars->indent);
    grid_put_left(doc, &label, bars->label_cols);
    grid_pad(doc, GAP + bars->number_cols - cols);
    if (look.style == STYLE_CHANGED)
        text[size + star++] = '*';
    doc_put_span(doc, text, size + star, look);
    draw_bar(doc, bars, x, look, GAP - star, options->ascii);
    doc_end_line(doc);
    for (size_t line = middle + 1; line < thick; line++)
        draw_beside_number(doc, bars, x, look, options->ascii);
    for (size_t line = 0; line < n_blank; line++)
        draw_beside_number(doc, bars, 0, look, options->ascii);
}

static void draw_row(struct doc *doc, const struct bars *bars, const struct grid *grid, size_t row,
                     const struct show_options *options)
{
    size_t most = grid_is_vector(grid) ? VECTOR_MAX : ROW_MAX;
    struct elision cols = elision_of(grid->n_cols, options->full ? grid->n_cols : most);
    for (size_t k = 0; k < elision_shown(&cols) && !doc->failed; k++) {
        if (elision_gap_before(&cols, k))
            elision_note(doc, &cols, "", options);
        draw_item(doc, bars, grid, row, elision_at(&cols, k), options);
    }
}

static void draw_table(struct doc *doc, const struct grid *grid, const struct show_options *options,
                       const void *style)
{
    struct elision rows = elision_of(grid->n_rows, options->full ? grid->n_rows : ROW_MAX);
    for (size_t k = 0; k < elision_shown(&rows) && !doc->failed; k++) {
        if (elision_gap_before(&rows, k))
            elision_note(doc, &rows, " rows", options);
        size_t row = elision_at(&rows, k);
        if (!grid_is_vector(grid) && grid->row_labels == NULL) {
            doc_line(doc, STYLE_QUIET, "[%zu, :]", row);
        } else if (!grid_is_vector(grid)) {
            struct heading heading = grid_row_heading(grid, row, options);
            grid_put_left(doc, &heading, 0);
            doc_end_line(doc);
        }
        draw_row(doc, style, grid, row, options);
    }
}

/* Shares out the columns between both sides of zero, so that one scale holds for both. */
static void share_room(struct bars *bars, const struct number_range *range, size_t room)
{
    double below = fmax(0, -(double)range->lowest), above = fmax(0, (double)range->highest);
    if (!(below + above > 0))
        return;
    size_t left = (size_t)ceil(below / (below + above) * (double)room);
    bars->left_cols = above > 0 && left >= room ? room - 1 : left;
    bars->right_cols = room - bars->left_cols;
    double per_left = below > 0 ? below / (double)bars->left_cols : 0;
    double per_right = above > 0 ? above / (double)bars->right_cols : 0;
    bars->per_col = fmax(per_left, per_right);
}

static void lay_out(struct bars *bars, const struct grid *grid, const struct number_range *range,
                    const struct show_options *options)
{
    bars->indent = grid_is_vector(grid) ? 0 : INDENT;
    size_t first = grid->col_labels != NULL ? 0 : grid->n_cols - 1; /* the widest position */
    for (size_t col = first; col < grid->n_cols; col++)
        bars->label_cols = size_max(bars->label_cols, grid_col_heading(grid, col, options).cols);
    bars->has_axis = range->lowest < 0;
    size_t taken =
        bars->indent + bars->label_cols + GAP + bars->number_cols + GAP + (bars->has_axis ? 1 : 0);
    size_t width = grid_width(options);
    size_t room = width > taken + BAR_COLS_MIN ? width - taken : BAR_COLS_MIN;
    share_room(bars, range, room < BAR_COLS_MAX ? room : BAR_COLS_MAX);
}

/* How many bars are shown. */
static size_t count_bars(const struct picture *picture, const struct show_options *options)
{
    struct grid grid = grid_of(picture, 0);
    size_t n_rows = grid.n_rows, n_cols = grid.n_cols;
    if (!options->full) {
        n_rows = size_min(n_rows, ROW_MAX);
        n_cols = size_min(n_cols, grid_is_vector(&grid) ? VECTOR_MAX : ROW_MAX);
    }
    return grid_count_shown(picture, options) * n_rows * n_cols;
}

void bars_show(struct doc *doc, const struct picture *picture, const struct show_options *options)
{
    if (picture->tensor->n_axes == 0) {
        matrix_show(doc, picture, options);
        return;
    }
    grid_title(doc, picture, options);
    if (grid_show_empty(doc, picture))
        return;
    struct bars bars = {.style = number_style_of(picture->tensor, options->digits)};
    struct number_range range = number_range_of(picture->tensor);
    bars.style.shows_tiny = options->shows_tiny;
    struct grid first = grid_of(picture, 0);
    bars.number_cols = number_widest(&range, bars.style);
    bars.lines_each = size_min(1 + options->extra_lines / count_bars(picture, options), LINES_MAX);
    lay_out(&bars, &first, &range, options);
    grid_draw_all(doc, picture, options, draw_table, &bars);
}
