/* Rows of fields: see csv.h. */
#include "assignment/csv.h"

#include <stdlib.h>
#include <string.h>

#include <utf8proc.h>

#include "base/array.h"
#include "base/text.h"

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

void csv_open(struct csv *csv, const char *name, const char *text, size_t size, struct arena *arena)
{
    static const char mark[] = "\xEF\xBB\xBF";
    *csv =
        (struct csv){.name = name, .at = text, .end = text + size, .next_line = 1, .arena = arena};
    if (size >= 3 && memcmp(text, mark, 3) == 0)
        csv->at += 3;
    csv->separator = find_separator(csv->at, csv->end);
}

void csv_close(struct csv *csv)
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

/* What stands in quotes, where "" is one. */
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

bool csv_row(struct csv *csv, bool *ret_is_there, struct error *reterr)
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

const char *csv_field(const struct csv *csv, size_t i)
{
    return i < csv->n_fields ? csv->fields[i] : "";
}
