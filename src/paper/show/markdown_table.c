/* Tables, gathered as a whole and shown as columns or as lists: see markdown_internal.h. */
#include "show/markdown_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"

enum {
    GAP_COLS = 2,       /* between two columns */
    CELL_COLS_MIN = 12, /* words in a narrower column are hard to read */
    /* Of a table; rows beyond are left out. Else a short text could ask for cells without end: each
     * row has as many as the head. */
    MAX_CELLS = 1 << 16,
};

static size_t table_n_rows(const struct markdown_table *table)
{
    return table->n_cols > 0 ? table->n_cells / table->n_cols : 0;
}

/* What a column needs, and gets. */
struct markdown_column {
    size_t least_cols, all_cols; /* for its longest word, and for its longest cell */
    size_t cols;
};

/* ---- how cells stand ---- */

enum content { CONTENT_NONE, CONTENT_NUMBER, CONTENT_WORDS };

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* All of its bytes are those of numbers: "-1.5", "1e-30", "20 %". */
static bool is_number(const char *bytes, size_t size)
{
    static const char infinity[] = "inf";
    size_t sign = size > 0 && is_one_of(bytes[0], "+-");
    if (size - sign == strlen(infinity) && memcmp(bytes + sign, infinity, size - sign) == 0)
        return true;
    if (size == sign || !is_one_of(bytes[sign], ".0123456789"))
        return false;
    for (size_t i = sign; i < size; i++)
        if (bytes[i] != KEPT_BLANK && !is_one_of(bytes[i], " .,0123456789e+-%"))
            return false;
    return true;
}

/* Signs around a number don't count; a "?" stands for one that is asked for. */
static enum content content_of(const struct text *text, const struct markdown_cell *cell)
{
    static const char signs[] = "*`[]?";
    size_t begin = cell->begin, end = cell->end;
    if (begin == end)
        return CONTENT_NONE;
    while (begin < end && is_one_of(text->bytes[begin], signs))
        begin++;
    while (begin < end && is_one_of(text->bytes[end - 1], signs))
        end--;
    bool fits = begin == end || is_number(text->bytes + begin, end - begin);
    return fits ? CONTENT_NUMBER : CONTENT_WORDS;
}

/* Does a column hold numbers below its head, and nothing else? */
static bool holds_numbers(const struct text *text, const struct markdown_table *table, size_t col)
{
    bool any = false;
    for (size_t row = 1; row < table_n_rows(table); row++) {
        enum content content = content_of(text, &table->cells[row * table->n_cols + col]);
        if (content == CONTENT_WORDS)
            return false;
        any = any || content == CONTENT_NUMBER;
    }
    return any;
}

/* Cells of numbers stand to the right, where the text does not say how they stand. */
static void columns_align(const struct text *text, struct markdown_table *table)
{
    for (size_t col = 0; col < table->n_cols && col < table->n_cells; col++) {
        if (table->cells[col].align != MD_ALIGN_DEFAULT || !holds_numbers(text, table, col))
            continue;
        for (size_t row = 0; row < table_n_rows(table); row++)
            table->cells[row * table->n_cols + col].align = MD_ALIGN_RIGHT;
    }
}

/* ---- how wide columns are ---- */

/* The columns of the longest of the words [begin, end). */
static size_t longest_word(const struct text *text, size_t begin, size_t end)
{
    size_t longest = 0;
    while (begin < end) {
        const char *blank = memchr(text->bytes + begin, ' ', end - begin);
        size_t stop = blank != NULL ? (size_t)(blank - text->bytes) : end;
        longest = size_max(longest, line_cols(text, begin, stop));
        begin = stop + 1;
    }
    return longest;
}

static void measure(const struct text *text, const struct markdown_table *table,
                    struct markdown_column *columns)
{
    for (size_t i = 0; i < table_n_rows(table) * table->n_cols; i++) {
        struct markdown_column *column = &columns[i % table->n_cols];
        const struct markdown_cell *cell = &table->cells[i];
        size_t all = line_cols(text, cell->begin, cell->end);
        size_t least = longest_word(text, cell->begin, cell->end);
        least = size_max(least, size_min(all, CELL_COLS_MIN));
        column->least_cols = size_max(column->least_cols, least);
        column->all_cols = size_max(column->all_cols, all);
    }
}

/* Columns for each, none wider than `most` unless it must be. Returns what they take together. */
static size_t share(struct markdown_column *columns, size_t n, size_t most)
{
    size_t sum = (n - 1) * GAP_COLS;
    for (size_t i = 0; i < n; i++) {
        columns[i].cols = size_max(columns[i].least_cols, size_min(columns[i].all_cols, most));
        sum += columns[i].cols;
    }
    return sum;
}

/* The most that each may have at once, so that all fit. 0 is known to fit. */
static size_t fair_share(struct markdown_column *columns, size_t n, size_t width_cols)
{
    size_t low = 0, high = width_cols;
    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;
        if (share(columns, n, middle) <= width_cols)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Gives columns[0..n_cols) of the table what they need to be at most width_cols wide together, the
 * widest ones less than they want. False where the words are too long for that. */
static bool columns_fit(const struct text *text, const struct markdown_table *table,
                        size_t width_cols, struct markdown_column *columns)
{
    size_t n = table->n_cols;
    measure(text, table, columns);
    if (share(columns, n, 0) > width_cols)
        return false;
    size_t most = fair_share(columns, n, width_cols);
    size_t left = width_cols - share(columns, n, most);
    for (size_t i = 0; i < n && left > 0; i++) { /* less than one for each column that needs more */
        if (columns[i].cols < columns[i].all_cols && columns[i].cols == most) {
            columns[i].cols++;
            left--;
        }
    }
    return true;
}

/* ---- a table in columns ---- */

/* One line of a cell, which is taken from it. *blanks are still to be written before it; the blanks
 * after it are added to them. */
static void put_cell_line(struct markdown_printer *printer, struct markdown_cell *cell, size_t cols,
                          size_t *blanks)
{
    const struct text *text = &printer->words.text;
    size_t begin = cell->begin, stop = begin;
    if (begin < cell->end) {
        stop = line_end(text, begin, cell->end, cols, &cell->begin);
        stop = begin + line_trimmed(text->bytes + begin, stop - begin);
    }
    size_t used = line_cols(text, begin, stop);
    size_t spare = cols > used ? cols - used : 0;
    size_t before = cell->align == MD_ALIGN_RIGHT    ? spare
                    : cell->align == MD_ALIGN_CENTER ? spare / 2
                                                     : 0;
    *blanks += before;
    if (used > 0) {
        if (*blanks > 0)
            doc_add(printer->doc, STYLE_PLAIN, "%*s", (int)*blanks, "");
        *blanks = 0;
        line_put(printer, begin, stop);
    }
    *blanks += spare - before;
}

static bool has_words(const struct markdown_cell *cells, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (cells[i].begin < cells[i].end)
            return true;
    return false;
}

static void show_row(struct markdown_printer *printer, struct markdown_cell *cells,
                     const struct markdown_column *columns)
{
    size_t n = printer->table.n_cols;
    do {
        size_t blanks = 0;
        line_begin(printer, false);
        for (size_t i = 0; i < n; i++) {
            put_cell_line(printer, &cells[i], columns[i].cols, &blanks);
            blanks += GAP_COLS;
        }
        doc_end_line(printer->doc);
    } while (!printer->doc->failed && has_words(cells, n));
}

/* Would a reader take a line of the first column for a row of its own? */
static bool rows_run_together(const struct markdown_printer *printer, size_t cols)
{
    const struct markdown_table *table = &printer->table;
    for (size_t row = 1; row < table_n_rows(table); row++) {
        const struct markdown_cell *cell = &table->cells[row * table->n_cols];
        if (line_cols(&printer->words.text, cell->begin, cell->end) > cols)
            return true;
    }
    return false;
}

static void show_columns(struct markdown_printer *printer, const struct markdown_column *columns)
{
    struct markdown_table *table = &printer->table;
    bool apart = rows_run_together(printer, columns[0].cols);
    for (size_t row = 0; row < table_n_rows(table) && !printer->doc->failed; row++) {
        printer->needs_gap = apart && row > 1;
        block_ask_for_gap(printer);
        show_row(printer, table->cells + row * table->n_cols, columns);
        if (row > 0)
            continue;
        line_begin(printer, false); /* a rule below the head */
        for (size_t i = 0; i < table->n_cols; i++) {
            if (i > 0)
                doc_add(printer->doc, STYLE_QUIET, "%*s", (int)GAP_COLS, "");
            line_put_rule(printer, RULE, "-", columns[i].cols);
        }
        doc_end_line(printer->doc);
    }
}

/* ---- a table as lists ---- */

/* "head: cell" where there is room, else the cell under the head of its column. */
static void show_entry(struct markdown_printer *printer, const struct markdown_cell *head,
                       const struct markdown_cell *cell)
{
    const struct text *text = &printer->words.text;
    size_t cols =
        line_cols(text, head->begin, head->end) + 2 + line_cols(text, cell->begin, cell->end);
    if (cell->begin == cell->end)
        return;
    if (cols <= line_cols_left(printer)) {
        line_begin(printer, false);
        line_put(printer, head->begin, head->end);
        if (head->begin < head->end)
            doc_put(printer->doc, STYLE_PLAIN, ": ", 2);
        line_put(printer, cell->begin, cell->end);
        doc_end_line(printer->doc);
    } else {
        line_show(printer, head->begin, head->end);
        container_push(printer, "  ", "  ", false);
        line_show(printer, cell->begin, cell->end);
        container_pop(printer);
    }
}

/* A table that is too wide: each row as a list of its cells. */
static void show_entries(struct markdown_printer *printer)
{
    const struct markdown_table *table = &printer->table;
    for (size_t i = 0; i < table->n_cols && table_n_rows(table) == 1; i++)
        line_show(printer, table->cells[i].begin, table->cells[i].end);
    for (size_t row = 1; row < table_n_rows(table) && !printer->doc->failed; row++) {
        printer->needs_gap = row > 1;
        block_ask_for_gap(printer);
        for (size_t i = 0; i < table->n_cols; i++)
            show_entry(printer, &table->cells[i], &table->cells[row * table->n_cols + i]);
    }
}

/* ---- the table being read ---- */

void table_enter(struct markdown_printer *printer, size_t n_cols)
{
    block_begin(printer, true);
    printer->table.n_cells = 0;
    printer->table.n_cols = n_cols;
    printer->table.cut = false;
    printer->in_table = true;
}

void table_enter_cell(struct markdown_printer *printer, MD_ALIGN align)
{
    struct markdown_table *table = &printer->table;
    if (table->n_cells == MAX_CELLS) {
        table->cut = true;
        return;
    }
    struct markdown_cell *cells =
        array_grow(table->cells, table->n_cells, &table->capacity, sizeof *cells);
    if (cells == NULL) {
        printer->doc->failed = true;
        return;
    }
    table->cells = cells;
    cells[table->n_cells++] = (struct markdown_cell){
        .begin = printer->words.text.size, .end = printer->words.text.size, .align = align};
}

void table_leave_cell(struct markdown_printer *printer)
{
    struct markdown_table *table = &printer->table;
    if (printer->doc->failed || printer->words.text.failed || table->cut)
        return;
    struct markdown_cell *cell = &table->cells[table->n_cells - 1];
    size_t size = printer->words.text.size - cell->begin;
    cell->end =
        cell->begin + (size > 0 ? line_trimmed(printer->words.text.bytes + cell->begin, size) : 0);
}

static void show_table(struct markdown_printer *printer)
{
    struct markdown_table *table = &printer->table;
    struct markdown_column *columns = calloc(table->n_cols, sizeof *columns);
    if (columns == NULL) {
        printer->doc->failed = true;
        return;
    }
    columns_align(&printer->words.text, table);
    if (columns_fit(&printer->words.text, table, line_cols_left(printer), columns))
        show_columns(printer, columns);
    else
        show_entries(printer);
    if (table->cut) {
        line_begin(printer, false);
        doc_put(printer->doc, STYLE_QUIET, "...", 3);
        doc_end_line(printer->doc);
    }
    free(columns);
}

void table_leave(struct markdown_printer *printer)
{
    printer->doc->failed = printer->doc->failed || printer->words.text.failed;
    if (!printer->doc->failed && printer->table.n_cols > 0 && printer->table.n_cells > 0)
        show_table(printer);
    words_clear(printer);
    printer->in_table = false;
    block_end(printer);
}
