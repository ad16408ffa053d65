/* How wide the columns of a table are, and how their cells stand: see markdown_parts.h. */
#include "base/size.h"
#include "show/markdown_internal.h"

#include <string.h>

enum { CELL_COLS_MIN = 12 }; /* words in a narrower column are hard to read */

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
static enum content content_of(const struct text *text, const struct table_cell *cell)
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
static bool holds_numbers(const struct text *text, const struct table *table, size_t col)
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

void columns_align(const struct text *text, struct table *table)
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

static void measure(const struct text *text, const struct table *table, struct column *columns)
{
    for (size_t i = 0; i < table_n_rows(table) * table->n_cols; i++) {
        struct column *column = &columns[i % table->n_cols];
        const struct table_cell *cell = &table->cells[i];
        size_t all = line_cols(text, cell->begin, cell->end);
        size_t least = longest_word(text, cell->begin, cell->end);
        least = size_max(least, size_min(all, CELL_COLS_MIN));
        column->least_cols = size_max(column->least_cols, least);
        column->all_cols = size_max(column->all_cols, all);
    }
}

/* Columns for each, none wider than `most` unless it must be. Returns what they take together. */
static size_t share(struct column *columns, size_t n, size_t most)
{
    size_t sum = table_gaps_cols(n);
    for (size_t i = 0; i < n; i++) {
        columns[i].cols = size_max(columns[i].least_cols, size_min(columns[i].all_cols, most));
        sum += columns[i].cols;
    }
    return sum;
}

/* The most that each may have at once, so that all fit. 0 is known to fit. */
static size_t fair_share(struct column *columns, size_t n, size_t width_cols)
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

bool columns_fit(const struct text *text, const struct table *table, size_t width_cols,
                 struct column *columns)
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
