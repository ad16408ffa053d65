/* Tables of spreadsheets: see table_internal.h. */
#include "assignment/table_internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

#include "base/array.h"
#include "files/file.h"

/* ---- rows and fields ---- */

static char find_separator(const char *at, const char *end)
{
    static const char separators[] = {',', ';', '\t'};
    size_t counts[COUNT_OF(separators)] = {0}, best = 0;
    bool quoted = false;
    for (; at < end && (quoted || (*at != '\n' && *at != '\r')); at++) {
        quoted = quoted != (*at == '"');
        for (size_t i = 0; !quoted && i < COUNT_OF(separators); i++)
            counts[i] += *at == separators[i];
    }
    for (size_t i = 1; i < COUNT_OF(separators); i++)
        best = counts[i] > counts[best] ? i : best;
    return separators[best];
}

/* Reads text[0..size), which must live as long. The separator is the one of , ; and tab that the
 * first line has most of. */
static void csv_open(struct csv *csv, const char *name, const char *text, size_t size,
                     struct arena *arena)
{
    static const char mark[] = "\xEF\xBB\xBF";
    *csv =
        (struct csv){.name = name, .at = text, .end = text + size, .next_line = 1, .arena = arena};
    if (size >= 3 && memcmp(text, mark, 3) == 0)
        csv->at += 3;
    csv->separator = find_separator(csv->at, csv->end);
}

static void csv_close(struct csv *csv)
{
    free(csv->fields);
    csv->fields = NULL;
    csv->n_fields = csv->capacity = 0;
}

static bool is_line_end(const struct csv *csv)
{
    return csv->at == csv->end || *csv->at == '\n' || *csv->at == '\r';
}

static void skip_line_end(struct csv *csv)
{
    if (csv->at < csv->end && *csv->at == '\r')
        csv->at++;
    if (csv->at < csv->end && *csv->at == '\n')
        csv->at++;
}

/* The text in quotes; "" in it is one quote. */
static bool read_quoted(struct csv *csv, unsigned *lines, struct text *field, struct error *reterr)
{
    unsigned begin = *lines;
    for (csv->at++; csv->at < csv->end; csv->at++) {
        bool is_double = *csv->at == '"' && csv->at + 1 < csv->end && csv->at[1] == '"';
        if (*csv->at == '"' && !is_double) {
            csv->at++;
            return true;
        }
        *lines += *csv->at == '\n';
        text_char(field, *csv->at);
        csv->at += is_double;
    }
    return error_set(reterr, ERR_SYNTAX, "%s:%u: a quote is not closed", csv->name, begin);
}

static bool read_field(struct csv *csv, unsigned *lines, struct text *field, struct error *reterr)
{
    while (csv->at < csv->end && *csv->at == ' ')
        csv->at++;
    if (csv->at < csv->end && *csv->at == '"' && !read_quoted(csv, lines, field, reterr))
        return false;
    while (!is_line_end(csv) && *csv->at != csv->separator)
        text_char(field, *csv->at++);
    return true;
}

/* The bytes of the blank, or of the mark of a direction, that stands at bytes; 0: another
 * character, or none. */
static size_t blank_size(const char *bytes, size_t size)
{
    utf8proc_int32_t code;
    utf8proc_ssize_t length =
        utf8proc_iterate((const utf8proc_uint8_t *)bytes, (utf8proc_ssize_t)size, &code);
    bool is_blank =
        length > 0 && (code == '\t' || code == 0x061C || code == 0x200E || code == 0x200F ||
                       utf8proc_category(code) == UTF8PROC_CATEGORY_ZS);
    return is_blank ? (size_t)length : 0;
}

static size_t size_without_blanks_at_end(const char *bytes, size_t size)
{
    size_t kept = 0;
    for (size_t at = 0; at < size;) {
        size_t blank = blank_size(bytes + at, size - at);
        at += blank > 0 ? blank : 1;
        kept = blank > 0 ? kept : at;
    }
    return kept;
}

static bool keep_field(struct csv *csv, const struct text *field)
{
    const char *begin = text_string(field);
    size_t size = field->size, blank;
    while ((blank = blank_size(begin, size)) > 0) {
        begin += blank;
        size -= blank;
    }
    size = size_without_blanks_at_end(begin, size);
    char **fields = array_grow(csv->fields, csv->n_fields, &csv->capacity, sizeof *fields);
    char *copy = field->failed ? NULL : arena_copy(csv->arena, begin, size);
    if (fields != NULL)
        csv->fields = fields;
    if (fields == NULL || copy == NULL)
        return false;
    fields[csv->n_fields++] = copy;
    return true;
}

static bool read_row(struct csv *csv, unsigned *lines, struct error *reterr)
{
    struct text field = {0};
    bool ok = true, goes_on = true;
    csv->n_fields = 0;
    while (ok && goes_on) {
        text_clear(&field);
        ok = read_field(csv, lines, &field, reterr) &&
             (keep_field(csv, &field) || error_memory(reterr, csv->name));
        goes_on = csv->at < csv->end && *csv->at == csv->separator;
        csv->at += goes_on;
    }
    text_release(&field);
    skip_line_end(csv);
    return ok;
}

static bool is_empty(const struct csv *csv)
{
    for (size_t i = 0; i < csv->n_fields; i++)
        if (csv->fields[i][0] != '\0')
            return false;
    return true;
}

/* Reads the next row that is not empty. *ret_is_there is false at the end. ERR_SYNTAX "NAME:LINE:
 * ..." for a quote that is not closed; ERR_MEMORY. */
static bool csv_row(struct csv *csv, bool *ret_is_there, struct error *reterr)
{
    *ret_is_there = false;
    while (csv->at < csv->end && !*ret_is_there) {
        unsigned lines = csv->next_line;
        csv->line = lines;
        if (!read_row(csv, &lines, reterr))
            return false;
        csv->next_line = lines + 1;
        *ret_is_there = !is_empty(csv);
    }
    return true;
}

/* The field of that number, "" if the row is shorter. */
static const char *csv_field(const struct csv *csv, size_t i)
{
    return i < csv->n_fields ? csv->fields[i] : "";
}

/* ---- class list ---- */

enum { FILE_MAX_BYTES = 16 << 20 };

/* ---- a table of which the first row names the columns ---- */

static int find_column(const struct csv *csv, const char *const *names)
{
    for (size_t i = 0; i < TABLE_MAX_NAMES && names[i] != NULL; i++)
        for (size_t j = 0; j < csv->n_fields; j++)
            if (strcasecmp(csv->fields[j], names[i]) == 0)
                return (int)j;
    return TABLE_NO_COLUMN;
}

/* Is at least one column of each set there? */
static bool has_needed(const struct table *table, const struct table_layout *layout)
{
    for (size_t i = 0; i < COUNT_OF(layout->needs) && layout->needs[i] != 0; i++) {
        bool has = false;
        for (size_t j = 0; j < layout->n; j++)
            has = has || (layout->needs[i] >> j & 1 && table->at[j] != TABLE_NO_COLUMN);
        if (!has)
            return false;
    }
    return true;
}

bool table_open(struct table *table, const char *path, const struct table_layout *layout,
                struct error *reterr)
{
    bool is_there;
    *table = (struct table){.csv.name = path};
    if (!file_read_text(path, FILE_MAX_BYTES, &table->text, reterr))
        return false;
    csv_open(&table->csv, path, text_string(&table->text), table->text.size, &table->arena);
    if (!csv_row(&table->csv, &is_there, reterr))
        return false;
    for (size_t i = 0; i < layout->n; i++)
        table->at[i] = find_column(&table->csv, layout->names[i]);
    table->n_head = table->csv.n_fields;
    table->head = arena_take(&table->arena, (table->n_head + 1) * sizeof(char *));
    if (table->head == NULL)
        return error_memory(reterr, path);
    for (size_t i = 0; i < table->n_head; i++)
        table->head[i] = table->csv.fields[i];
    return has_needed(table, layout) ||
           table_fault(table, reterr, "the first row must name the columns", layout->wanted);
}

void table_close(struct table *table)
{
    csv_close(&table->csv);
    text_release(&table->text);
    arena_release(&table->arena);
}

bool table_next(struct table *table, bool *ret_is_there, struct error *reterr)
{
    return csv_row(&table->csv, ret_is_there, reterr);
}

bool table_each(const char *path, const struct table_layout *layout, table_row *row, void *context,
                struct error *reterr)
{
    struct table table;
    bool is_there = true, ok = table_open(&table, path, layout, reterr);
    while (ok && is_there) {
        ok = table_next(&table, &is_there, reterr);
        if (ok && is_there)
            ok = row(context, &table, reterr);
    }
    table_close(&table);
    return ok;
}

const char *table_field(const struct table *table, unsigned column)
{
    return table->at[column] != TABLE_NO_COLUMN ? csv_field(&table->csv, (size_t)table->at[column])
                                                : "";
}

const char *table_field_at(const struct table *table, size_t place)
{
    return csv_field(&table->csv, place);
}

bool table_fault(const struct table *table, struct error *reterr, const char *what,
                 const char *word)
{
    return error_set(reterr, ERR_SYNTAX, "%s:%u: %s%s%s", table->csv.name, table->csv.line, what,
                     word[0] != '\0' ? ": " : "", word);
}
