/* The explorer's tables: the part of a tensor that fits, as numbers, or all of it as a heatmap. */
#include "ui/explorer_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "show/matrix.h"

enum {
    OWN_ID = 1,       /* cells of a table's Doc point at positions in it, under this id */
    COL_MIN = 3,      /* columns of the screen that one of the table takes at least */
    NO_POSITIONS = 6, /* so many rows and columns are counted at a glance */
    WIDE = 1 << 16,
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

static struct show_options options_of(const struct explorer *explorer, size_t width_cols,
                                      bool ascii)
{
    struct show_options options = session_show_options(&explorer->session);
    options.width_cols = width_cols;
    options.ascii = options.ascii || ascii;
    return options;
}

/* Draws the window of a table to its Doc. */
static bool show_window(const struct explorer *explorer, const struct tensor *before, bool ascii,
                        struct explorer_table *table, struct error *reterr)
{
    const struct explorer_slice *slice = &table->slice;
    bool positions = slice->n_rows > NO_POSITIONS || slice->n_cols > NO_POSITIONS;
    struct labels *labels[2] = {NULL, NULL};
    struct tensor now =
        window_of(&table->node->value, slice, table->row, table->col, table->n_rows, table->n_cols);
    struct tensor old = {.data = NULL};
    if (before != NULL)
        old = window_of(before, slice, table->row, table->col, table->n_rows, table->n_cols);
    bool ok = labels_of(table->node, 2, table->row, table->n_rows, positions, &labels[0], reterr) &&
              labels_of(table->node, 1, table->col, table->n_cols, positions, &labels[1], reterr);
    if (ok) {
        struct show_options options = options_of(explorer, WIDE, ascii);
        struct picture picture = {
            .tensor = &now, .labels = labels, .id = OWN_ID, .before = before != NULL ? &old : NULL};
        options.full = true;
        doc_clear(&table->doc);
        matrix_show(&table->doc, &picture, &options);
        ok = doc_check(&table->doc, reterr);
    }
    labels_free(labels[0]);
    labels_free(labels[1]);
    tensor_release(&now);
    tensor_release(&old);
    return ok;
}

/* Notes where the numbers of each column of the Doc end on the screen, with their '*':
 * ends[n_cols], all 0 before. One walk over the Doc, since looking for each cell anew takes far too
 * long. */
static void find_ends(const struct explorer_table *table, size_t *ends)
{
    for (size_t line = 0; line < table->doc.n_lines; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(&table->doc, line, &spans), end = 0;
        for (size_t i = 0; i < n; i++) {
            end +=
                text_width(table->doc.text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
            if (spans[i].cell.tensor != OWN_ID)
                continue;
            size_t col = spans[i].cell.position % table->n_cols;
            ends[col] = end > ends[col] ? end : ends[col];
        }
    }
}

/* How many columns of the Doc fit whole, and what they take. */
static size_t fitting(const struct explorer_table *table, size_t cols, size_t *ret_end)
{
    size_t n = 0, *ends = calloc(table->n_cols + 1, sizeof *ends);
    *ret_end = cols;
    if (ends == NULL)
        return 0;
    find_ends(table, ends);
    while (n < table->n_cols) {
        size_t end = ends[n];
        if (end > cols && n > 0)
            break;
        *ret_end = end;
        n++;
        if (end > cols)
            break;
    }
    free(ends);
    return n;
}

static size_t less(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The first of n that is seen when `seen` are, and `at` must be among them. */
static size_t scroll_to(size_t first, size_t at, size_t seen, size_t n)
{
    if (at < first)
        first = at;
    if (at >= first + seen)
        first = at - seen + 1;
    return n <= seen ? 0 : less(first, n - seen);
}

/* Rows of headings above the numbers. */
static size_t heading_rows(const struct node *node, const struct explorer_slice *slice)
{
    unsigned n = node->value.n_axes;
    bool named = n > 0 && node->labels[n - 1] != NULL;
    return n > 0 && (named || slice->n_rows > NO_POSITIONS || slice->n_cols > NO_POSITIONS) ? 1 : 0;
}

static bool is_empty(const struct explorer_slice *slice)
{
    return slice->n_slices == 0 || slice->n_rows == 0 || slice->n_cols == 0;
}

static bool show_empty(struct explorer_table *table, struct error *reterr)
{
    table->n_rows = table->n_cols = 0;
    doc_line(&table->doc, STYLE_QUIET, "no numbers");
    table->rows = 1;
    table->cols = (int)doc_width(&table->doc);
    return doc_check(&table->doc, reterr);
}

/* As many columns as fit, the column `at` among them. */
static bool fit_columns(const struct explorer *explorer, const struct tensor *before, size_t at,
                        size_t first, size_t cols, bool ascii, struct explorer_table *table,
                        struct error *reterr)
{
    size_t n_cols = table->slice.n_cols, seen, end;
    table->col = less(first, at);
    for (;;) {
        table->n_cols = less(n_cols - table->col, cols / COL_MIN + 1);
        if (!show_window(explorer, before, ascii, table, reterr))
            return false;
        seen = fitting(table, cols, &end);
        if (at < table->col + seen)
            break;
        table->col += at - table->col - seen + 1 > 1 ? (at - table->col - seen + 1) / 2 : 1;
    }
    table->n_cols = seen;
    table->cols = (int)less(end, cols);
    return show_window(explorer, before, ascii, table, reterr);
}

bool explorer_numbers(const struct explorer *explorer, const struct node *node,
                      const struct tensor *before, size_t row, size_t col, size_t first_row,
                      size_t first_col, int rows, int cols, bool ascii, struct explorer_table *ret,
                      struct error *reterr)
{
    *ret = (struct explorer_table){.node = node, .slice = explorer_slice_of(node, explorer->head)};
    doc_init(&ret->doc);
    size_t headings = heading_rows(node, &ret->slice), room = rows > 0 ? (size_t)rows : 1;
    size_t seen = room > headings ? room - headings : 1;
    bool ok;
    if (is_empty(&ret->slice)) {
        ok = show_empty(ret, reterr);
    } else {
        ret->row = scroll_to(first_row, row, seen, ret->slice.n_rows);
        ret->n_rows = less(seen, ret->slice.n_rows - ret->row);
        ok = fit_columns(explorer, before, col, first_col, cols > 0 ? (size_t)cols : 1, ascii, ret,
                         reterr);
        ret->rows = (int)ret->doc.n_lines;
        ret->line = headings > 0 && room == 1 ? 1 : 0; /* rather the number than its heading */
    }
    if (!ok)
        explorer_table_release(ret);
    return ok;
}

/* Draws the heatmap to the table's Doc, in so many columns. */
static bool show_heat(const struct explorer *explorer, const struct tensor *before,
                      size_t width_cols, bool ascii, struct explorer_table *table,
                      struct error *reterr)
{
    const struct explorer_slice *slice = &table->slice;
    const struct node *node = table->node;
    unsigned n = node->value.n_axes;
    struct tensor now = window_of(&node->value, slice, 0, 0, slice->n_rows, slice->n_cols);
    struct tensor old = {.data = NULL};
    if (before != NULL)
        old = window_of(before, slice, 0, 0, slice->n_rows, slice->n_cols);
    struct labels *labels[2] = {n > 1 ? node->labels[n - 2] : NULL,
                                n > 0 ? node->labels[n - 1] : NULL};
    struct show_options options = options_of(explorer, width_cols, ascii);
    struct picture picture = {
        .tensor = &now, .labels = labels, .id = OWN_ID, .before = before != NULL ? &old : NULL};
    options.full = true;
    doc_clear(&table->doc);
    heat_show(&table->doc, &picture, &options);
    tensor_release(&now);
    tensor_release(&old);
    return doc_check(&table->doc, reterr);
}

/* Where a heatmap has a cell; false where what is drawn stands for several numbers. */
static bool find_cell(const struct explorer_table *table, size_t row, size_t col, size_t *ret_line,
                      size_t *ret_col, size_t *ret_end)
{
    size_t n_cols = table->n_cols;
    struct cell_ref cell = {OWN_ID, row * n_cols + col}, above = {OWN_ID, cell.position - n_cols};
    if (doc_find_cell(&table->doc, cell, ret_line, ret_col, ret_end))
        return true;
    return row > 0 && /* two rows on a line */
           doc_find_cell(&table->doc, above, ret_line, ret_col, ret_end);
}

/* Scrolls a heatmap so that a cell of it is seen. */
static void scroll_heat(struct explorer_table *table, size_t row, size_t col, int rows, int cols)
{
    size_t line, begin, end, first, behind;
    if (!find_cell(table, row, col, &line, &begin, &end)) { /* about there */
        line = row * table->doc.n_lines / table->n_rows;
        begin = end = 0;
    }
    if (rows > 0 && table->rows > rows)
        table->line = scroll_to(0, line, (size_t)rows, table->doc.n_lines);
    if (end <= (size_t)cols || !find_cell(table, row, 0, &line, &first, &behind))
        return;
    table->frozen = (int)first < cols / 2 ? (int)first : 0;
    table->left = (int)end - cols;
}

enum { HEAT_COLS = 2, HEAT_MOST = 4096 }; /* a cell of a heatmap without numbers; cells across */

bool explorer_heat(const struct explorer *explorer, const struct node *node,
                   const struct tensor *before, size_t row, size_t col, int rows, int cols,
                   bool ascii, struct explorer_table *ret, struct error *reterr)
{
    size_t line, begin, end, width = cols > 0 ? (size_t)cols : 1;
    *ret = (struct explorer_table){.node = node, .slice = explorer_slice_of(node, explorer->head)};
    doc_init(&ret->doc);
    ret->n_rows = ret->slice.n_rows;
    ret->n_cols = ret->slice.n_cols;
    bool ok = is_empty(&ret->slice) ? show_empty(ret, reterr)
                                    : show_heat(explorer, before, width, ascii, ret, reterr);
    if (ok && !is_empty(&ret->slice)) {
        bool whole = find_cell(ret, row, col, &line, &begin, &end);
        /* Wider than the pane rather than without the cell under the cursor. */
        for (size_t more = 1; ok && !whole && more < 4 && ret->n_cols < HEAT_MOST; more++) {
            ok = show_heat(explorer, before, width + more * HEAT_COLS * ret->n_cols, ascii, ret,
                           reterr);
            whole = ok && find_cell(ret, row, col, &line, &begin, &end);
        }
        ret->rows = (int)ret->doc.n_lines;
        ret->cols = cols;
        if (ok)
            scroll_heat(ret, row, col, rows, cols);
    }
    if (!ok)
        explorer_table_release(ret);
    return ok;
}

void explorer_table_release(struct explorer_table *table)
{
    doc_release(&table->doc);
}

void explorer_table_draw(const struct explorer_table *table, struct area area)
{
    struct area whole = area_part(area, 0, 0, area.rows, table->cols);
    struct area right = area_part(whole, 0, table->frozen, whole.rows, whole.cols);
    area_doc(area_part(whole, 0, 0, whole.rows, table->frozen), &table->doc, table->line, 0);
    area_doc(right, &table->doc, table->line, (size_t)table->frozen + (size_t)table->left);
}

void explorer_table_mark(const struct explorer_table *table, struct area area, size_t position,
                         unsigned marks)
{
    size_t size = table->slice.n_rows * table->slice.n_cols, line, begin, end;
    if (size == 0 || position / size != table->slice.index)
        return;
    size_t row = position % size / table->slice.n_cols, col = position % table->slice.n_cols;
    if (row < table->row || row >= table->row + table->n_rows || col < table->col ||
        col >= table->col + table->n_cols)
        return;
    if (find_cell(table, row - table->row, col - table->col, &line, &begin, &end) &&
        line >= table->line)
        area_mark(area_part(area, 0, 0, area.rows, table->cols), (int)(line - table->line),
                  (int)begin - table->left, (int)(end - begin), marks);
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
        if (doc_cell_at(&table->doc, table->line + (size_t)row, at, &cell)) {
            *ret_row = table->row + cell.position / table->n_cols;
            *ret_col = table->col + cell.position % table->n_cols;
            return true;
        }
    return false;
}
