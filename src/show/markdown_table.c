/* Tables, gathered as a whole and shown as columns or as lists: see markdown_parts.h. */
#include "show/markdown_internal.h"

#include <stdlib.h>

#include "base/array.h"

enum {
    GAP_COLS = 2, /* between two columns */
    /* Of a table; rows beyond are left out. Else a short text could ask for cells without end: each
     * row has as many as the head. */
    MAX_CELLS = 1 << 16,
};

size_t table_n_rows(const struct table *table)
{
    return table->n_cols > 0 ? table->n_cells / table->n_cols : 0;
}

size_t table_gaps_cols(size_t n_cols)
{
    return (n_cols - 1) * GAP_COLS;
}

void table_enter(struct shower *shower, size_t n_cols)
{
    block_begin_apart(shower);
    shower->table.n_cells = 0;
    shower->table.n_cols = n_cols;
    shower->table.cut = false;
    shower->in_table = true;
}

void table_enter_cell(struct shower *shower, MD_ALIGN align)
{
    struct table *table = &shower->table;
    if (table->n_cells == MAX_CELLS) {
        table->cut = true;
        return;
    }
    struct table_cell *cells = array_grow(table->cells, table->n_cells, &table->capacity, sizeof *cells);
    if (cells == NULL) {
        shower->doc->failed = true;
        return;
    }
    table->cells = cells;
    cells[table->n_cells++] = (struct table_cell){
        .begin = shower->flow.text.size, .end = shower->flow.text.size, .align = align};
}

void table_leave_cell(struct shower *shower)
{
    struct table *table = &shower->table;
    if (shower->doc->failed || shower->flow.text.failed || table->cut)
        return;
    struct table_cell *cell = &table->cells[table->n_cells - 1];
    size_t size = shower->flow.text.size - cell->begin;
    cell->end =
        cell->begin + (size > 0 ? line_trimmed(shower->flow.text.bytes + cell->begin, size) : 0);
}

static void put_blanks(struct shower *shower, size_t n)
{
    if (n > 0)
        doc_add(shower->doc, STYLE_PLAIN, "%*s", (int)n, "");
}

/* How much of the blanks that a line of a cell leaves are to the left of it. */
static size_t blanks_before(MD_ALIGN align, size_t spare)
{
    if (align == MD_ALIGN_RIGHT)
        return spare;
    return align == MD_ALIGN_CENTER ? spare / 2 : 0;
}

/* One line of a cell, which is taken from it. *blanks are still to be written before it; what is
 * behind it is added to them. */
static void put_cell_line(struct shower *shower, struct table_cell *cell, size_t cols,
                          size_t *blanks)
{
    const struct text *text = &shower->flow.text;
    size_t begin = cell->begin, stop = begin;
    if (begin < cell->end) {
        stop = line_end(text, begin, cell->end, cols, &cell->begin);
        stop = begin + line_trimmed(text->bytes + begin, stop - begin);
    }
    size_t used = line_cols(text, begin, stop);
    size_t spare = cols > used ? cols - used : 0;
    size_t before = blanks_before(cell->align, spare);
    *blanks += before;
    if (used > 0) {
        put_blanks(shower, *blanks);
        *blanks = 0;
        line_put(shower, begin, stop);
    }
    *blanks += spare - before;
}

static bool has_words(const struct table_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cells[i].begin < cells[i].end)
            return true;
    return false;
}

static void show_row(struct shower *shower, struct table_cell *cells, const struct column *columns)
{
    size_t n = shower->table.n_cols;
    do {
        size_t blanks = 0;
        line_begin(shower, false);
        for (size_t i = 0; i < n; i++) {
            put_cell_line(shower, &cells[i], columns[i].cols, &blanks);
            blanks += GAP_COLS;
        }
        doc_end_line(shower->doc);
    } while (!shower->doc->failed && has_words(cells, n));
}

static void show_rule_of_head(struct shower *shower, const struct column *columns)
{
    line_begin(shower, false);
    for (size_t i = 0; i < shower->table.n_cols; i++) {
        if (i > 0)
            doc_add(shower->doc, STYLE_QUIET, "%*s", (int)GAP_COLS, "");
        line_put_rule(shower, RULE, '-', columns[i].cols);
    }
    doc_end_line(shower->doc);
}

/* Would a reader take a line of the first column for a row of its own? */
static bool rows_run_together(const struct shower *shower, size_t cols)
{
    const struct table *table = &shower->table;
    for (size_t row = 1; row < table_n_rows(table); row++) {
        const struct table_cell *cell = &table->cells[row * table->n_cols];
        if (line_cols(&shower->flow.text, cell->begin, cell->end) > cols)
            return true;
    }
    return false;
}

static void show_columns(struct shower *shower, const struct column *columns)
{
    struct table *table = &shower->table;
    bool apart = rows_run_together(shower, columns[0].cols);
    for (size_t row = 0; row < table_n_rows(table) && !shower->doc->failed; row++) {
        shower->needs_gap = apart && row > 1;
        block_ask_for_gap(shower);
        show_row(shower, table->cells + row * table->n_cols, columns);
        if (row == 0)
            show_rule_of_head(shower, columns);
    }
}

/* "head: cell", where there is room. */
static void show_entry_line(struct shower *shower, const struct table_cell *head,
                            const struct table_cell *cell)
{
    line_begin(shower, false);
    line_put(shower, head->begin, head->end);
    if (head->begin < head->end)
        doc_put(shower->doc, STYLE_PLAIN, ": ", 2);
    line_put(shower, cell->begin, cell->end);
    doc_end_line(shower->doc);
}

/* A cell behind the head of its column, or under it. */
static void show_entry(struct shower *shower, const struct table_cell *head,
                       const struct table_cell *cell)
{
    const struct text *text = &shower->flow.text;
    size_t cols =
        line_cols(text, head->begin, head->end) + 2 + line_cols(text, cell->begin, cell->end);
    if (cell->begin == cell->end)
        return;
    if (cols <= line_cols_left(shower)) {
        show_entry_line(shower, head, cell);
        return;
    }
    line_show(shower, head->begin, head->end);
    container_push(shower, "  ", "  ", false);
    line_show(shower, cell->begin, cell->end);
    container_pop(shower);
}

static void show_head_only(struct shower *shower)
{
    const struct table *table = &shower->table;
    for (size_t i = 0; i < table->n_cols; i++)
        line_show(shower, table->cells[i].begin, table->cells[i].end);
}

/* A table that is too wide: each row as a list of its cells. */
static void show_entries(struct shower *shower)
{
    const struct table *table = &shower->table;
    if (table_n_rows(table) == 1)
        show_head_only(shower);
    for (size_t row = 1; row < table_n_rows(table) && !shower->doc->failed; row++) {
        shower->needs_gap = row > 1;
        block_ask_for_gap(shower);
        for (size_t i = 0; i < table->n_cols; i++)
            show_entry(shower, &table->cells[i], &table->cells[row * table->n_cols + i]);
    }
}

static void show_sign_of_cut(struct shower *shower)
{
    line_begin(shower, false);
    doc_put(shower->doc, STYLE_QUIET, "...", 3);
    doc_end_line(shower->doc);
}

static void show_table(struct shower *shower)
{
    struct table *table = &shower->table;
    struct column *columns = calloc(table->n_cols, sizeof *columns);
    if (columns == NULL) {
        shower->doc->failed = true;
        return;
    }
    columns_align(&shower->flow.text, table);
    if (columns_fit(&shower->flow.text, table, line_cols_left(shower), columns))
        show_columns(shower, columns);
    else
        show_entries(shower);
    if (table->cut)
        show_sign_of_cut(shower);
    free(columns);
}

void table_leave(struct shower *shower)
{
    shower->doc->failed = shower->doc->failed || shower->flow.text.failed;
    if (!shower->doc->failed && shower->table.n_cols > 0 && shower->table.n_cells > 0)
        show_table(shower);
    flow_clear(shower);
    shower->in_table = false;
    block_end(shower);
}
