/* Tensors as tables of aligned numbers: see matrix.h. */
#include "show/matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "show/grid_internal.h"
#include "show/heat_cell.h"
#include "show/number.h"
#include "tensor/tensor.h"

enum {
    GAP = 2,          /* columns between numbers; the first of them may hold a '*' */
    HEAD_GAP = 3,     /* columns between the row headings and the numbers */
    ROWS_MAX = 20,    /* rows shown without `full` */
    HIDDEN_COLS = 44, /* columns of the longest note on hidden rows */
};

struct table {
    const struct grid *grid;
    const struct show_options *options;
    struct number_style style;
    struct elision rows;
    bool is_vector;
    bool positions; /* shown where there are no labels */
    size_t width_cols;
    size_t head_cols; /* columns of the row headings; 0 without headings */
    size_t first;     /* the shown columns are first + elision_at(&cols, k) */
    struct elision cols;
    size_t *widths; /* [places] of the shown columns, gaps not counted */
};

static bool has_row_headings(const struct table *table)
{
    return !table->is_vector && (table->grid->row_labels != NULL || table->positions);
}

static bool has_col_headings(const struct table *table)
{
    return table->grid->col_labels != NULL || table->positions;
}

static size_t measure_row_headings(const struct table *table)
{
    if (!has_row_headings(table))
        return 0;
    size_t cols =
        elision_hides(&table->rows) ? grid_ellipsis_heading(table->options->ascii).cols : 1;
    for (size_t k = 0; k < elision_shown(&table->rows); k++) {
        size_t row = elision_at(&table->rows, k);
        cols = size_max(cols, grid_row_heading(table->grid, row, table->options).cols);
    }
    return cols;
}

/* The widest of a column's heading and shown numbers. */
static size_t measure_column(const struct table *table, size_t col)
{
    char text[NUMBER_TEXT];
    size_t cols =
        elision_hides(&table->rows) ? grid_ellipsis_heading(table->options->ascii).cols : 1;
    if (has_col_headings(table))
        cols = size_max(cols, grid_col_heading(table->grid, col, table->options).cols);
    for (size_t k = 0; k < elision_shown(&table->rows); k++) {
        float number = grid_number(table->grid, elision_at(&table->rows, k), col);
        cols = size_max(cols, strlen(number_write(number, table->style, text)));
    }
    return cols;
}

/* Columns left for numbers and the gaps between them. */
static size_t room_for_columns(const struct table *table)
{
    size_t taken = table->head_cols > 0 ? table->head_cols + HEAD_GAP : 0;
    taken += table->grid->before != NULL ? 1 : 0; /* a '*' after the last number */
    return table->width_cols > taken ? table->width_cols - taken : 0;
}

/* Shows as many columns from first on as fit, at least one. */
static void fit_block(struct table *table, size_t first)
{
    size_t room = room_for_columns(table), used = 0, count = 0;
    while (first + count < table->grid->n_cols) {
        size_t width = measure_column(table, first + count);
        size_t needed = used + width + (count > 0 ? GAP : 0);
        if (needed > room && count > 0)
            break;
        table->widths[count++] = width;
        used = needed;
    }
    table->first = first;
    table->cols = elision_of(count, count);
}

static bool shows_all_columns(const struct table *table)
{
    return elision_shown(&table->cols) == table->grid->n_cols;
}

/* Shows columns from both ends in turn while they fit beside the ellipsis. */
static void fit_elided(struct table *table)
{
    size_t n = table->grid->n_cols, room = room_for_columns(table);
    size_t used = grid_ellipsis_heading(table->options->ascii).cols;
    struct elision cols = {.n = n};
    while (elision_shown(&cols) < n) {
        bool at_head = cols.head <= cols.tail;
        size_t col = at_head ? cols.head : n - 1 - cols.tail;
        used += GAP + measure_column(table, col);
        if (used > room && cols.head > 0)
            break;
        *(at_head ? &cols.head : &cols.tail) += 1;
    }
    table->first = 0;
    table->cols = cols;
    for (size_t k = 0; k < elision_shown(&cols); k++)
        table->widths[k] = measure_column(table, elision_at(&cols, k));
}

static void draw_gap_column(struct doc *doc, const struct table *table, size_t lead)
{
    struct heading ellipsis = grid_ellipsis_heading(table->options->ascii);
    grid_put_right(doc, &ellipsis, lead + ellipsis.cols);
}

/* The columns before the field at place k: none before the very first. */
static size_t lead_of(const struct table *table, size_t k)
{
    return k > 0 ? GAP : table->head_cols > 0 ? HEAD_GAP : 0;
}

static void draw_col_headings(struct doc *doc, const struct table *table)
{
    if (!has_col_headings(table))
        return;
    grid_pad(doc, table->head_cols);
    for (size_t k = 0; k < elision_shown(&table->cols); k++) {
        if (elision_gap_before(&table->cols, k))
            draw_gap_column(doc, table, GAP);
        size_t col = table->first + elision_at(&table->cols, k);
        struct heading heading = grid_col_heading(table->grid, col, table->options);
        grid_put_right(doc, &heading, lead_of(table, k) + table->widths[k]);
    }
    doc_end_line(doc);
}

/* What stands for a cell, and its look: its number, or the sign of a weight of 0 that a mask hides;
 * -inf says itself that it is hidden. Returns the bytes; *ret_cols. */
static size_t write_cell(const struct table *table, size_t row, size_t col,
                         char text[NUMBER_TEXT + 1], struct span *ret_look, size_t *ret_cols)
{
    float number = grid_number(table->grid, row, col);
    *ret_look = grid_look(table->grid, row, col);
    number_write(number, table->style, text);
    *ret_cols = strlen(text);
    if (number == 0 && grid_is_hidden(table->grid, row, col)) {
        snprintf(text, NUMBER_TEXT, "%s", heat_hidden_sign(table->options->ascii));
        *ret_cols = 1;
        if (ret_look->style == STYLE_NUMBER)
            ret_look->style = STYLE_QUIET;
    }
    return strlen(text);
}

static void draw_row(struct doc *doc, const struct table *table, size_t row)
{
    if (has_row_headings(table)) {
        struct heading heading = grid_row_heading(table->grid, row, table->options);
        grid_put_left(doc, &heading, table->head_cols);
    }
    size_t star = 0; /* columns of the gap that a '*' has taken */
    for (size_t k = 0; k < elision_shown(&table->cols); k++) {
        if (elision_gap_before(&table->cols, k)) {
            draw_gap_column(doc, table, GAP - star);
            star = 0;
        }
        size_t col = table->first + elision_at(&table->cols, k);
        struct span look;
        char text[NUMBER_TEXT + 1];
        size_t cols, size = write_cell(table, row, col, text, &look, &cols);
        size_t field_cols = lead_of(table, k) - star + table->widths[k];
        grid_pad(doc, field_cols > cols ? field_cols - cols : 0);
        star = look.style == STYLE_CHANGED ? 1 : 0;
        if (star > 0)
            text[size++] = '*';
        doc_put_span(doc, text, size, look);
    }
    doc_end_line(doc);
}

/* The row that stands for the rows left out. */
static void draw_gap_row(struct doc *doc, const struct table *table)
{
    struct heading ellipsis = grid_ellipsis_heading(table->options->ascii);
    if (has_row_headings(table))
        grid_put_left(doc, &ellipsis, table->head_cols);
    for (size_t k = 0; k < elision_shown(&table->cols); k++) {
        if (elision_gap_before(&table->cols, k))
            draw_gap_column(doc, table, GAP);
        grid_put_right(doc, &ellipsis, lead_of(table, k) + table->widths[k]);
    }
    doc_end_line(doc);
}

static void draw_block(struct doc *doc, const struct table *table)
{
    draw_col_headings(doc, table);
    for (size_t k = 0; k < elision_shown(&table->rows) && !doc->failed; k++) {
        if (elision_gap_before(&table->rows, k))
            draw_gap_row(doc, table);
        draw_row(doc, table, elision_at(&table->rows, k));
    }
}

/* "480 rows and 54 columns not shown", where something is hidden; on two lines where it would not
 * fit one. */
static void draw_hidden(struct doc *doc, const struct table *table)
{
    size_t rows = table->rows.n - elision_shown(&table->rows);
    size_t cols = table->cols.n - elision_shown(&table->cols);
    if (table->is_vector && cols > 0)
        doc_line(doc, STYLE_QUIET, "%zu of %zu not shown", cols, table->cols.n);
    else if (rows > 0 && cols > 0 && table->width_cols >= HIDDEN_COLS)
        doc_line(doc, STYLE_QUIET, "%zu rows and %zu columns not shown", rows, cols);
    else {
        if (rows > 0)
            doc_line(doc, STYLE_QUIET, "%zu rows not shown", rows);
        if (cols > 0)
            doc_line(doc, STYLE_QUIET, "%zu columns not shown", cols);
    }
}

/* All columns, in blocks that fit the width, each under the positions it holds. */
static void draw_blocks(struct doc *doc, struct table *table)
{
    size_t n_cols = table->grid->n_cols;
    for (size_t first = 0; first < n_cols && !doc->failed;) {
        fit_block(table, first);
        size_t next = first + elision_shown(&table->cols);
        doc_line(doc, STYLE_QUIET, "%s %zu to %zu", table->is_vector ? "positions" : "columns",
                 first, next - 1);
        draw_block(doc, table);
        first = next;
    }
}

/* Which columns go where, once it is known what the row headings take. */
static void lay_out(struct table *table)
{
    table->head_cols = measure_row_headings(table);
    fit_block(table, 0);
    if (!shows_all_columns(table) && !table->positions) {
        table->positions = true; /* where something is left out, positions say what */
        lay_out(table);
    } else if (!shows_all_columns(table) && !table->options->full) {
        fit_elided(table);
    }
}

static void draw_table(struct doc *doc, const struct grid *grid, const struct show_options *options,
                       const void *style)
{
    struct table table = {.grid = grid,
                          .options = options,
                          .style = *(const struct number_style *)style,
                          .is_vector = grid_is_vector(grid),
                          .positions = grid_wants_positions(grid),
                          .width_cols = grid_width(options)};
    table.rows = elision_of(grid->n_rows, options->full ? grid->n_rows : ROWS_MAX);
    size_t most = table.width_cols / (GAP + 1) + 2; /* columns that may fit, each at least 1 wide */
    table.widths = calloc(most < grid->n_cols ? most : grid->n_cols, sizeof *table.widths);
    if (table.widths == NULL) {
        doc->failed = true;
        return;
    }
    lay_out(&table);
    if (shows_all_columns(&table) || !options->full) {
        draw_block(doc, &table);
        draw_hidden(doc, &table);
    } else {
        draw_blocks(doc, &table);
    }
    free(table.widths);
}

/* A single number: "loss = 0.6931". */
static void draw_single(struct doc *doc, const struct picture *picture,
                        const struct show_options *options)
{
    char text[NUMBER_TEXT + 1];
    struct grid grid = grid_of(picture, 0);
    struct span look = grid_look(&grid, 0, 0);
    float number = grid_number(&grid, 0, 0);
    if (picture->title != NULL) {
        grid_put_title(doc, picture->title, options);
        doc_put(doc, STYLE_PLAIN, " = ", 3);
    }
    if (picture->tensor->is_bool)
        number_write(number, number_style_of(picture->tensor, options->digits), text);
    else
        number_short(number, options->digits, text);
    size_t size = strlen(text);
    if (look.style == STYLE_CHANGED)
        text[size++] = '*';
    doc_put_span(doc, text, size, look);
    doc_end_line(doc);
}

void matrix_show(struct doc *doc, const struct picture *picture, const struct show_options *options)
{
    if (picture->tensor->n_axes == 0) {
        draw_single(doc, picture, options);
        return;
    }
    grid_title(doc, picture, options);
    if (grid_show_empty(doc, picture))
        return;
    struct number_style style = number_style_of(picture->tensor, options->digits);
    style.shows_tiny = options->shows_tiny;
    grid_draw_all(doc, picture, options, draw_table, &style);
}

void hidden_note_show(struct doc *doc, const struct picture *picture,
                      const struct show_options *options)
{
    size_t n = picture->hidden != NULL ? tensor_size(picture->tensor) : 0, i = 0;
    while (i < n && !(tensor_at_position(picture->hidden, i) != 0 &&
                      tensor_at_position(picture->tensor, i) == 0))
        i++;
    if (i < n)
        doc_line(doc, STYLE_QUIET, "%s hidden: weight 0", heat_hidden_sign(options->ascii));
}
