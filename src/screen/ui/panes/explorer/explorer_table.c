/* The explorer's tables: the part of a tensor that fits, as numbers, or all of it as a heatmap. */
#include "ui/panes/explorer/explorer_internal.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "graph/hidden.h"
#include "graph/node.h"
#include "show/labels.h"
#include "show/heat.h"
#include "tensor/tensor.h"

enum {
    OWN_ID = 1,       /* cells of a table's Doc point at positions in it, under this id */
    COL_MIN = 3,      /* columns of the screen that one of the table takes at least */
    NUMBER_MORE = 4,  /* columns that one takes beside its decimals, mostly: "-0." and a gap */
    NO_POSITIONS = 6, /* so many rows and columns are counted at a glance */
    WIDE = 1 << 16,
    CELL_ROWS_MIN = 2, /* rows that cells of a heatmap keep beside what always stays in sight */
    NAME_LINES = 3,    /* of names over narrow columns, where not all of the heatmap is seen; */
    MANY_ROWS = 9,     /* one line in an area with less rows than these */
};

/* A window into one table of x, as a matrix. */
static struct tensor window_of(const struct tensor *x, const struct explorer_slice *slice,
                               size_t row, size_t col, size_t n_rows, size_t n_cols)
{
    struct tensor view = tensor_share(x);
    unsigned n = x->n_axes;
    ptrdiff_t row_step = n > 1 ? x->stride[n - 2] : 0, col_step = n > 0 ? x->stride[n - 1] : 0;
    size_t left = slice->index;
    for (unsigned axis = n > 2 ? n - 2 : 0; axis-- > 0; left /= x->shape[axis])
        view.data += (ptrdiff_t)(left % x->shape[axis]) * x->stride[axis];
    view.data += (ptrdiff_t)row * row_step + (ptrdiff_t)col * col_step;
    view.n_axes = 2;
    view.shape[0] = n_rows;
    view.shape[1] = n_cols;
    view.stride[0] = row_step;
    view.stride[1] = col_step;
    return view;
}

/* "12", "13", ...: what stands beside rows without names. */
static bool count_up(size_t first, size_t n, struct labels **ret, struct error *reterr)
{
    char(*numbers)[24] = calloc(n + 1, sizeof *numbers);
    const char **names = calloc(n + 1, sizeof *names);
    bool ok = numbers != NULL && names != NULL;
    if (!ok)
        error_memory(reterr, "explore");
    else
        for (size_t i = 0; i < n; i++) {
            snprintf(numbers[i], sizeof numbers[i], "%zu", first + i);
            names[i] = numbers[i];
        }
    ok = ok && labels_new(n, names, NULL, ret, reterr);
    free(numbers);
    free(names);
    return ok;
}

/* The names of n positions of an axis counted from the last; NULL where they need none. */
static bool labels_of(const struct node *node, unsigned from_last, size_t first, size_t n,
                      bool positions, struct labels **ret, struct error *reterr)
{
    unsigned n_axes = node->value.n_axes;
    struct labels *labels = n_axes >= from_last ? node->labels[n_axes - from_last] : NULL;
    *ret = NULL;
    if (labels != NULL)
        return labels_take(labels, first, n, 1, ret, reterr);
    return !positions || n_axes < from_last || count_up(first, n, ret, reterr);
}

enum heat_scale explorer_scale(const struct explorer *explorer)
{
    const struct pipeline *pipeline = &explorer->pipeline;
    bool is_weights =
        explorer->stage < pipeline->n_stages && pipeline->stages[explorer->stage].is_weights;
    if (explorer->scale != HEAT_AUTO)
        return explorer->scale;
    return is_weights ? HEAT_ROW
                      : HEAT_MATRIX; /* also where an edited row adds up to more than 1 */
}

static struct explorer_table empty_table(const struct explorer *explorer, struct node *node,
                                         int rows, int cols, bool ascii)
{
    struct explorer_table table = {.node = node,
                                   .before = explorer_before(explorer, node),
                                   .slice = explorer_slice_of(node, explorer->head),
                                   .ascii = ascii,
                                   .scale = explorer_scale(explorer),
                                   .area_rows = rows,
                                   .area_cols = cols > 0 ? cols : 1};
    /* Also of small tables where they stand beside others: then the same words are in a row. */
    table.has_positions = explorer->depth > 0 || table.slice.n_rows > NO_POSITIONS ||
                          table.slice.n_cols > NO_POSITIONS;
    doc_init(&table.doc);
    return table;
}

/* Which numbers of the rows and columns of the Doc a mask hides: booleans, or without data where it
 * hides none. The caller releases *ret. */
static bool hidden_of(const struct explorer_table *table, struct tensor *ret, struct error *reterr)
{
    const size_t shape[] = {table->n_rows, table->made_cols};
    bool any = false;
    if (!tensor_zeros(2, shape, ret, reterr))
        return false;
    for (size_t row = 0; row < shape[0]; row++)
        for (size_t col = 0; col < shape[1]; col++) {
            size_t at = explorer_position(&table->slice, table->row + row, table->col + col);
            bool hidden = cell_is_hidden((struct cell){table->node, at});
            ret->data[row * shape[1] + col] = hidden ? 1 : 0;
            any = any || hidden;
        }
    ret->is_bool = true;
    if (!any)
        tensor_release(ret);
    return true;
}

/* Draws the rows of a table that are seen, and made_cols of its columns, to its Doc. heading_lines:
 * as in struct heat_options. */
static bool show_window(const struct explorer *explorer, size_t width_cols, size_t heading_lines,
                        struct explorer_table *table, struct error *reterr)
{
    const struct explorer_slice *slice = &table->slice;
    bool positions = table->has_positions && !table->is_heat;
    size_t n_rows = table->n_rows, n_cols = table->made_cols;
    struct labels *labels[2] = {NULL, NULL};
    struct tensor now =
        window_of(&table->node->value, slice, table->row, table->col, n_rows, n_cols);
    struct tensor old = {.data = NULL}, hidden = {.data = NULL};
    if (table->before.data != NULL)
        old = window_of(&table->before, slice, table->row, table->col, n_rows, n_cols);
    bool ok = labels_of(table->node, 2, table->row, n_rows, positions, &labels[0], reterr) &&
              labels_of(table->node, 1, table->col, n_cols, positions, &labels[1], reterr) &&
              hidden_of(table, &hidden, reterr);
    if (ok) {
        struct show_options options = settings_show_options(&explorer->pipeline.session.settings);
        struct picture picture = {.tensor = &now,
                                  .labels = labels,
                                  .id = OWN_ID,
                                  .before = old.data != NULL ? &old : NULL,
                                  .hidden = hidden.data != NULL ? &hidden : NULL};
        struct heat_options how = {.scale = table->scale, .heading_lines = heading_lines};
        options.width_cols = width_cols;
        options.ascii = options.ascii || table->ascii;
        options.full = true;
        doc_clear(&table->doc);
        if (table->is_heat)
            table->lines = heat_show_as(&table->doc, &picture, &options, how);
        else
            matrix_show(&table->doc, &picture, &options);
        ok = doc_check(&table->doc, reterr);
    }
    tensor_release(&hidden);
    labels_free(labels[0]);
    labels_free(labels[1]);
    tensor_release(&now);
    tensor_release(&old);
    return ok;
}

/* ---- numbers ---- */

/* How many columns of the Doc fit whole, at least one, and what they take; 0 without memory. One
 * walk over the Doc, since looking for each cell anew takes far too long. */
static size_t count_fitting(const struct explorer_table *table, size_t cols, size_t *ret_end)
{
    size_t n = 1, *ends = calloc(table->made_cols + 1, sizeof *ends);
    *ret_end = cols;
    if (ends == NULL)
        return 0;
    for (size_t line = 0; line < table->doc.n_lines; line++) {
        const struct span *spans;
        size_t n_spans = doc_line_spans(&table->doc, line, &spans), end = 0;
        for (size_t i = 0; i < n_spans; i++) {
            end +=
                text_width(table->doc.text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
            if (spans[i].cell.tensor != OWN_ID)
                continue;
            size_t col = spans[i].cell.position % table->made_cols;
            ends[col] = end > ends[col] ? end : ends[col]; /* of its number, with its '*' */
        }
    }
    while (n < table->made_cols && ends[n] <= cols)
        n++;
    *ret_end = ends[n - 1];
    free(ends);
    return n;
}

static bool is_empty(const struct explorer_slice *slice)
{
    return slice->n_slices == 0 || slice->n_rows == 0 || slice->n_cols == 0;
}

static bool show_empty(struct explorer_table *table, struct error *reterr)
{
    table->n_rows = table->n_cols = table->made_cols = 0;
    doc_line(&table->doc, STYLE_QUIET, "no numbers");
    table->rows = 1;
    table->cols = (int)doc_width(&table->doc);
    return doc_check(&table->doc, reterr);
}

/* As many columns as fit, from table->col on or, where the column `at` would not be among them,
 * from further right on. The Doc gets about as many as fit, since most of the time goes into
 * writing numbers. */
static bool fit_columns(const struct explorer *explorer, size_t at, struct explorer_table *table,
                        struct error *reterr)
{
    size_t n_cols = table->slice.n_cols, cols = (size_t)table->area_cols, end;
    size_t most = cols / COL_MIN + 1,
           tries = cols / (size_t)(explorer->pipeline.session.settings.digits + NUMBER_MORE) + 1;
    for (;;) {
        table->made_cols = size_min(n_cols - table->col, tries);
        if (!show_window(explorer, WIDE, 0, table, reterr))
            return false;
        table->n_cols = count_fitting(table, cols, &end);
        if (table->n_cols == 0)
            return error_memory(reterr, "explore");
        size_t after = table->col + table->n_cols;
        if (table->n_cols == tries && after < n_cols && tries < most)
            tries = most; /* they are narrow */
        else if (at < after)
            break;
        else
            table->col = at + 1 - table->n_cols; /* as many fit there, or a few less */
    }
    table->cols = (int)size_min(end, cols);
    return true;
}

/* The numbers, the cell at (row, col) among them, scrolled no further than needed from first_row
 * and first_col. */
static bool make_numbers(const struct explorer *explorer, size_t row, size_t col, size_t first_row,
                         size_t first_col, struct explorer_table *table, struct error *reterr)
{
    unsigned n = table->node->value.n_axes;
    size_t headings = n > 0 && (table->has_positions || table->node->labels[n - 1] != NULL) ? 1 : 0;
    size_t room = table->area_rows > 0 ? (size_t)table->area_rows : 1;
    size_t seen = room > headings ? room - headings : 1;
    if (is_empty(&table->slice))
        return show_empty(table, reterr);
    table->row = scroll_into_view(first_row, row, seen, table->slice.n_rows);
    table->n_rows = size_min(seen, table->slice.n_rows - table->row);
    table->col = size_min(first_col, col);
    if (!fit_columns(explorer, col, table, reterr))
        return false;
    table->rows = (int)table->doc.n_lines;
    table->line = headings > 0 && room == 1 ? 1 : 0; /* rather the number than its heading */
    return true;
}

bool explorer_numbers(const struct explorer *explorer, struct node *node, size_t row, size_t col,
                      int rows, int cols, bool ascii, struct explorer_table *ret,
                      struct error *reterr)
{
    *ret = empty_table(explorer, node, rows, cols, ascii);
    bool ok = make_numbers(explorer, row, col, 0, 0, ret, reterr);
    if (!ok)
        explorer_table_release(ret);
    return ok;
}

/* ---- heatmaps ---- */

/* Where a heatmap has a cell; false where what is drawn stands for several numbers. */
static bool find_cell(const struct explorer_table *table, size_t row, size_t col, size_t *ret_line,
                      size_t *ret_col, size_t *ret_end)
{
    size_t n_cols = table->made_cols;
    struct cell_ref cell = {OWN_ID, row * n_cols + col}, above = {OWN_ID, cell.position - n_cols};
    if (doc_find_cell(&table->doc, cell, ret_line, ret_col, ret_end))
        return true;
    return row > 0 && /* two rows on a line */
           doc_find_cell(&table->doc, above, ret_line, ret_col, ret_end);
}

/* The lines of headings and legend that always stay in sight: where not all lines have room, so
 * many as leave most of the rows to the cells; the headings rather than the legend. */
static void pin_lines(struct explorer_table *table)
{
    int rows = table->area_rows, n_headings = (int)table->lines.n_headings;
    int n_legend = (int)table->lines.n_legend;
    bool fits = rows <= 0 || table->doc.n_lines <= (size_t)rows;
    table->top = !fits && n_headings + CELL_ROWS_MIN <= rows ? n_headings : 0;
    table->bottom = !fits && table->top + n_legend + CELL_ROWS_MIN <= rows ? n_legend : 0;
}

/* Scrolls a heatmap so that a cell of it is seen. */
static void scroll_heat(struct explorer_table *table, size_t row, size_t col)
{
    size_t line, begin, end, first, after, n_lines = table->doc.n_lines;
    int cols = table->area_cols;
    table->line = 0;
    table->frozen = table->left = 0;
    pin_lines(table);
    size_t top = (size_t)table->top, pinned = top + (size_t)table->bottom;
    size_t rows = (size_t)table->area_rows - pinned;
    if (!find_cell(table, row, col, &line, &begin, &end)) { /* about there */
        line = row * n_lines / table->n_rows;
        line = size_min(size_max(line, top), n_lines - (size_t)table->bottom - 1);
        begin = end = 0;
    }
    if (table->area_rows > 0 && n_lines > (size_t)table->area_rows)
        table->line = scroll_into_view(0, line - size_min(top, line), rows, n_lines - pinned);
    if (end <= (size_t)cols || !find_cell(table, row, 0, &line, &first, &after))
        return;
    table->frozen = (int)first < cols / 2 ? (int)first : 0;
    table->left = (int)end - cols;
}

/* The row of the area in which a line of the Doc is seen; -1: it is not. */
static int row_of_line(const struct explorer_table *table, size_t line)
{
    size_t top = (size_t)table->top, bottom = table->doc.n_lines - (size_t)table->bottom;
    int last = table->area_rows - table->bottom;
    if (line < top)
        return (int)line;
    if (line >= bottom)
        return last + (int)(line - bottom);
    if (line - top < table->line)
        return -1;
    size_t row = line - table->line;
    return table->bottom == 0 || row < (size_t)last ? (int)size_min(row, CANVAS_MAX_ROWS) : -1;
}

/* The line of the Doc that is seen in a row of the area, perhaps one after the last. */
static size_t line_of_row(const struct explorer_table *table, int row)
{
    int last = table->area_rows - table->bottom;
    if (row < table->top)
        return (size_t)row;
    if (table->bottom > 0 && row >= last)
        return table->doc.n_lines - (size_t)table->bottom + (size_t)(row - last);
    return table->line + (size_t)row;
}

/* A cell of a heatmap without numbers; cells across. */
enum { HEAT_COLS = 2, HEAT_MOST = 4096 };

/* All of it as a heatmap for so many columns; where that takes too many rows, with shorter names
 * over the columns. */
static bool show_whole(const struct explorer *explorer, size_t width, struct explorer_table *table,
                       struct error *reterr)
{
    size_t rows = table->area_rows > 0 ? (size_t)table->area_rows : 0;
    if (!show_window(explorer, width, 0, table, reterr))
        return false;
    if (rows == 0 || table->doc.n_lines <= rows)
        return true;
    size_t most = rows >= MANY_ROWS ? NAME_LINES : 1;
    return table->lines.n_headings <= most || show_window(explorer, width, most, table, reterr);
}

/* All of it as a heatmap, scrolled so that the cell at (row, col) is seen. */
static bool make_heat(const struct explorer *explorer, size_t row, size_t col,
                      struct explorer_table *table, struct error *reterr)
{
    size_t line, begin, end, width = (size_t)table->area_cols;
    if (is_empty(&table->slice))
        return show_empty(table, reterr);
    table->n_rows = table->slice.n_rows;
    table->n_cols = table->made_cols = table->slice.n_cols;
    bool ok = show_whole(explorer, width, table, reterr);
    bool whole = ok && find_cell(table, row, col, &line, &begin, &end);
    /* Wider than the pane rather than without the cell under the cursor. */
    for (size_t more = 1; ok && !whole && more < 4 && table->n_cols < HEAT_MOST; more++) {
        ok = show_whole(explorer, width + more * HEAT_COLS * table->n_cols, table, reterr);
        whole = ok && find_cell(table, row, col, &line, &begin, &end);
    }
    table->rows = (int)table->doc.n_lines;
    table->cols = table->area_cols;
    if (ok)
        scroll_heat(table, row, col);
    return ok;
}

/* ---- the table of what is shown ---- */

/* True where the table that is kept is the one that would be made now. Numbers must also begin
 * where the explorer is scrolled to; a heatmap can be scrolled. */
static bool is_kept(const struct explorer *explorer, const struct explorer_table *now)
{
    const struct explorer_table *kept = explorer->kept;
    if (kept == NULL || kept->node != now->node || kept->before.data != now->before.data ||
        kept->slice.index != now->slice.index || kept->is_heat != now->is_heat ||
        (kept->is_heat && kept->scale != now->scale) || kept->ascii != now->ascii ||
        kept->has_positions != now->has_positions || kept->area_rows != now->area_rows ||
        kept->area_cols != now->area_cols)
        return false;
    return kept->is_heat || is_empty(&kept->slice) ||
           (kept->row == explorer->first_row && kept->col == explorer->first_col &&
            explorer->row >= kept->row && explorer->row < kept->row + kept->n_rows &&
            explorer->col >= kept->col && explorer->col < kept->col + kept->n_cols);
}

bool explorer_main_table(const struct explorer *explorer, int rows, int cols, bool ascii,
                         struct explorer_table *ret, struct error *reterr)
{
    size_t row = explorer->row, col = explorer->col;
    *ret = empty_table(explorer, explorer_node(explorer), rows, cols, ascii);
    ret->is_heat = explorer->view == EXPLORE_HEAT && explorer->depth == 0;
    if (is_kept(explorer, ret)) {
        *ret = *explorer->kept;
        ret->is_borrowed = true;
        if (ret->is_heat && !is_empty(&ret->slice))
            scroll_heat(ret, row, col);
        return true;
    }
    bool ok = ret->is_heat ? make_heat(explorer, row, col, ret, reterr)
                           : make_numbers(explorer, row, col, explorer->first_row,
                                          explorer->first_col, ret, reterr);
    if (!ok)
        explorer_table_release(ret);
    return ok;
}

void explorer_keep_table(struct explorer *explorer, int rows, int cols)
{
    struct explorer_table table, *kept;
    if (!explorer_main_table(explorer, rows, cols, explorer->pipeline.session.settings.ascii,
                             &table, NULL))
        return;
    if (!table.is_heat) {
        explorer->first_row = table.row;
        explorer->first_col = table.col;
    }
    if (table.is_borrowed)
        return;
    explorer_drop_table(explorer);
    kept = malloc(sizeof *kept);
    if (kept == NULL) { /* it will be made for each frame */
        explorer_table_release(&table);
        return;
    }
    *kept = table;
    kept->node = node_share(table.node);
    kept->before = tensor_share(&table.before);
    explorer->kept = kept;
}

void explorer_drop_table(struct explorer *explorer)
{
    struct explorer_table *kept = explorer->kept;
    if (kept == NULL)
        return;
    node_free(kept->node);
    tensor_release(&kept->before);
    explorer_table_release(kept);
    free(kept);
    explorer->kept = NULL;
}

void explorer_table_release(struct explorer_table *table)
{
    if (!table->is_borrowed)
        doc_release(&table->doc);
}

/* Rows of the area from `row` on, which show the Doc's lines from `line` on. */
static void draw_lines(const struct explorer_table *table, struct area area, int row, int rows,
                       size_t line)
{
    struct area whole = area_part(area, row, 0, rows, table->cols);
    struct area right = area_part(whole, 0, table->frozen, whole.rows, whole.cols);
    area_doc(area_part(whole, 0, 0, whole.rows, table->frozen), &table->doc, line, 0);
    area_doc(right, &table->doc, line, (size_t)table->frozen + (size_t)table->left);
}

void explorer_table_draw(const struct explorer_table *table, struct area area)
{
    int last = table->bottom > 0 ? table->area_rows - table->bottom : area.rows;
    draw_lines(table, area, 0, table->top, 0);
    draw_lines(table, area, table->top, last - table->top, line_of_row(table, table->top));
    draw_lines(table, area, last, table->bottom, line_of_row(table, last));
}

/* Where a cell is seen: its row and columns of the area. */
static bool place_of(const struct explorer_table *table, size_t position, int *ret_row,
                     size_t *ret_begin, size_t *ret_end)
{
    size_t size = table->slice.n_rows * table->slice.n_cols, line;
    if (size == 0 || position / size != table->slice.index)
        return false;
    size_t row = position % size / table->slice.n_cols, col = position % table->slice.n_cols;
    if (row < table->row || row >= table->row + table->n_rows || col < table->col ||
        col >= table->col + table->n_cols ||
        !find_cell(table, row - table->row, col - table->col, &line, ret_begin, ret_end))
        return false;
    *ret_row = row_of_line(table, line);
    return *ret_row >= 0;
}

void explorer_table_mark(const struct explorer_table *table, struct area area, size_t position,
                         unsigned marks)
{
    size_t begin, end;
    int row;
    if (place_of(table, position, &row, &begin, &end))
        area_mark(area_part(area, 0, 0, area.rows, table->cols), row, (int)begin - table->left,
                  (int)(end - begin), marks);
}

void explorer_table_point(const struct explorer_table *table, struct area area, size_t position,
                          bool focused)
{
    size_t begin, end, first, line;
    int row;
    if (!place_of(table, position, &row, &begin, &end))
        return;
    if (!table->is_heat) {
        explorer_table_mark(table, area, position,
                            MARK_REVERSE | (focused ? 0U : (unsigned)MARK_DIM));
        return;
    }
    struct area seen = area_part(area, 0, 0, area.rows, table->cols);
    int col = (int)begin - table->left, cols = (int)(end - begin);
    area_bracket(seen, row, col, cols, focused ? MARK_BOLD : 0);
    if (!find_cell(table, 0, 0, &line, &first, &end))
        return;
    area_mark(seen, row, 0, (int)first - (table->frozen > 0 ? 0 : table->left), MARK_BOLD);
    for (size_t heading = 0; heading < line; heading++)
        area_mark(seen, row_of_line(table, heading), col, cols, MARK_BOLD);
}

bool explorer_table_at(const struct explorer_table *table, int row, int col, size_t *ret_row,
                       size_t *ret_col)
{
    struct cell_ref cell;
    if (row < 0 || col < 0 || table->n_cols == 0 || col >= table->cols)
        return false;
    size_t from = (size_t)(col >= table->frozen ? col + table->left : col);
    /* A click beside a number, on the blanks before it, is one on it. */
    for (size_t at = from; at < from + 10; at++)
        if (doc_cell_at(&table->doc, line_of_row(table, row), at, &cell)) {
            *ret_row = table->row + cell.position / table->made_cols;
            *ret_col = table->col + cell.position % table->made_cols;
            return *ret_col < table->col + table->n_cols;
        }
    return false;
}
