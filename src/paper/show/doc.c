/* Lines of styled spans: see doc.h. */
#include "show/doc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool reserve_span(struct doc *doc)
{
    struct span *spans = array_grow(doc->spans, doc->n_spans, &doc->spans_capacity, sizeof *spans);
    if (spans != NULL)
        doc->spans = spans;
    doc->failed = doc->failed || spans == NULL;
    return !doc->failed;
}

static bool reserve_line(struct doc *doc)
{
    size_t *ends = array_grow(doc->line_ends, doc->n_lines, &doc->lines_capacity, sizeof *ends);
    if (ends != NULL)
        doc->line_ends = ends;
    doc->failed = doc->failed || ends == NULL;
    return !doc->failed;
}

/* Adds text to doc->text with '?' for what would disturb the line. */
static void add_clean(struct text *text, const char *bytes, size_t size)
{
    size_t clean = 0; /* bytes [clean, at) are fine and still to be added */
    for (size_t at = 0; at < size;) {
        struct text_character character = text_character(bytes + at, size - at);
        if (!character.printable) {
            text_add(text, bytes + clean, at - clean);
            text_char(text, '?');
            clean = at + character.size;
        }
        at += character.size;
    }
    text_add(text, bytes + clean, size - clean);
}

/* Makes a span of the text from begin on, for which there is room in doc->spans. */
static void close_span(struct doc *doc, size_t begin, struct span look)
{
    look.begin = begin;
    look.end = doc->text.size;
    if (doc->text.failed)
        doc->failed = true;
    else
        doc->spans[doc->n_spans++] = look;
}

/* A span of bytes without a newline. */
static void add_span(struct doc *doc, const char *bytes, size_t size, struct span look)
{
    if (size == 0 || !reserve_span(doc))
        return;
    size_t begin = doc->text.size;
    add_clean(&doc->text, bytes, size);
    close_span(doc, begin, look);
}

static void add_spaces(struct doc *doc, size_t count)
{
    if (count == 0 || !reserve_span(doc))
        return;
    size_t begin = doc->text.size;
    text_repeat(&doc->text, " ", count);
    close_span(doc, begin, (struct span){.front = TINT_NONE, .back = TINT_NONE});
}

/* The first span of line i; of the open line where i is n_lines. */
static size_t line_begin(const struct doc *doc, size_t i)
{
    return i == 0 ? 0 : doc->line_ends[i - 1];
}

static size_t line_end(const struct doc *doc, size_t i)
{
    return i < doc->n_lines ? doc->line_ends[i] : doc->n_spans;
}

static bool has_open_line(const struct doc *doc)
{
    return doc->n_spans > line_begin(doc, doc->n_lines);
}

size_t doc_count_lines(const struct doc *doc)
{
    return doc->n_lines + (has_open_line(doc) ? 1 : 0);
}

static size_t width_of(const struct doc *doc, size_t line)
{
    size_t cols = 0;
    for (size_t i = line_begin(doc, line); i < line_end(doc, line); i++) {
        const struct span *span = &doc->spans[i];
        cols += text_width(doc->text.bytes + span->begin, span->end - span->begin);
    }
    return cols;
}

/* Adds the spans of a line of `from` to the open line. */
static void copy_line(struct doc *doc, const struct doc *from, size_t line)
{
    for (size_t i = line_begin(from, line); i < line_end(from, line); i++) {
        const struct span *span = &from->spans[i];
        add_span(doc, from->text.bytes + span->begin, span->end - span->begin, *span);
    }
}

static void finish_open_line(struct doc *doc)
{
    if (has_open_line(doc))
        doc_end_line(doc);
}

static void add_formatted(struct doc *doc, enum style style, const char *format, va_list arguments)
{
    struct text formatted = {0};
    text_vformat(&formatted, format, arguments);
    if (formatted.failed)
        doc->failed = true;
    else
        doc_put(doc, style, text_string(&formatted), formatted.size);
    text_release(&formatted);
}

void doc_init(struct doc *doc)
{
    *doc = (struct doc){0};
}

void doc_release(struct doc *doc)
{
    if (doc == NULL)
        return;
    text_release(&doc->text);
    free(doc->spans);
    free(doc->line_ends);
    *doc = (struct doc){0};
}

void doc_clear(struct doc *doc)
{
    text_clear(&doc->text);
    doc->n_spans = doc->n_lines = 0;
    doc->failed = false;
}

void doc_add(struct doc *doc, enum style style, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_formatted(doc, style, format, arguments);
    va_end(arguments);
}

void doc_put(struct doc *doc, enum style style, const char *bytes, size_t size)
{
    struct span look = {.style = style, .front = TINT_NONE, .back = TINT_NONE};
    doc_put_span(doc, bytes, size, look);
}

void doc_put_span(struct doc *doc, const char *bytes, size_t size, struct span look)
{
    while (size > 0) {
        const char *newline = memchr(bytes, '\n', size);
        size_t run = newline != NULL ? (size_t)(newline - bytes) : size;
        add_span(doc, bytes, run, look);
        if (newline == NULL)
            return;
        doc_end_line(doc);
        bytes += run + 1;
        size -= run + 1;
    }
}

void doc_end_line(struct doc *doc)
{
    if (reserve_line(doc))
        doc->line_ends[doc->n_lines++] = doc->n_spans;
}

void doc_line(struct doc *doc, enum style style, const char *format, ...)
{
    finish_open_line(doc);
    va_list arguments;
    va_start(arguments, format);
    add_formatted(doc, style, format, arguments);
    va_end(arguments);
    doc_end_line(doc);
}

void doc_wrap(struct doc *doc, enum style style, const char *text, size_t width_cols,
              size_t indent_cols)
{
    size_t used = 0; /* columns of the open line, without the indent */
    finish_open_line(doc);
    while (*text != '\0') {
        size_t size = strcspn(text, " \n"), cols = text_width(text, size); /* of a word */
        if (used > 0 && indent_cols + used + 1 + cols > width_cols) {
            doc_end_line(doc);
            used = 0;
        }
        if (used > 0)
            doc_put(doc, style, " ", 1);
        else if (size > 0)
            add_spaces(doc, indent_cols);
        doc_put(doc, style, text, size);
        used += cols + (used > 0);
        text += size;
        if (*text == '\n') {
            doc_end_line(doc);
            used = 0;
        }
        text += *text != '\0';
    }
    finish_open_line(doc);
}

size_t doc_line_spans(const struct doc *doc, size_t line, const struct span **ret_first)
{
    size_t begin = line_begin(doc, line);
    *ret_first = doc->spans != NULL ? doc->spans + begin : NULL;
    return line_end(doc, line) - begin;
}

size_t doc_line_width(const struct doc *doc, size_t line)
{
    return width_of(doc, line);
}

size_t doc_width(const struct doc *doc)
{
    size_t widest = 0;
    for (size_t line = 0; line < doc_count_lines(doc); line++) {
        size_t cols = width_of(doc, line);
        if (cols > widest)
            widest = cols;
    }
    return widest;
}

void doc_append(struct doc *doc, const struct doc *from, size_t indent_cols)
{
    doc_append_lines(doc, from, SIZE_MAX, indent_cols);
}

void doc_append_lines(struct doc *doc, const struct doc *from, size_t n, size_t indent_cols)
{
    assert(doc != from);
    finish_open_line(doc);
    for (size_t line = 0; line < n && line < doc_count_lines(from); line++) {
        if (line_end(from, line) > line_begin(from, line))
            add_spaces(doc, indent_cols);
        copy_line(doc, from, line);
        doc_end_line(doc);
    }
    doc->failed = doc->failed || from->failed;
}

/* The bytes of the blanks that a text begins with, and of the word after them. */
static size_t token_size(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && text[at] == ' ')
        at++;
    while (at < size && text[at] != ' ')
        at++;
    return at;
}

static size_t count_blanks(const char *text, size_t size)
{
    size_t n = 0;
    while (n < size && text[n] == ' ')
        n++;
    return n;
}

/* Adds a line, broken at blanks. */
static void add_broken(struct doc *doc, const struct doc *from, size_t line, size_t cols)
{
    enum { HANGING_COLS = 4 };
    const struct span *spans;
    size_t n = doc_line_spans(from, line, &spans), used = 0;
    const char *bytes = from->text.bytes;
    size_t indent = n > 0 ? count_blanks(bytes + spans[0].begin, spans[0].end - spans[0].begin) : 0;
    indent = indent + HANGING_COLS < cols / 2 ? indent + HANGING_COLS : 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t at = spans[i].begin, size; at < spans[i].end; at += size) {
            size = token_size(bytes + at, spans[i].end - at);
            size_t blanks = 0;
            if (used > indent && used + text_width(bytes + at, size) > cols) {
                doc_end_line(doc);
                add_spaces(doc, indent);
                blanks = count_blanks(bytes + at, size);
                used = indent;
            }
            doc_put_span(doc, bytes + at + blanks, size - blanks, spans[i]);
            used += text_width(bytes + at + blanks, size - blanks);
        }
    }
    doc_end_line(doc);
}

void doc_append_broken(struct doc *doc, const struct doc *from, size_t cols)
{
    assert(doc != from);
    finish_open_line(doc);
    for (size_t line = 0; line < doc_count_lines(from); line++)
        add_broken(doc, from, line, cols);
    doc->failed = doc->failed || from->failed;
}

void doc_append_beside(struct doc *doc, const struct doc *left, const struct doc *right,
                       size_t gap_cols)
{
    assert(doc != left && doc != right);
    finish_open_line(doc);
    size_t n_left = doc_count_lines(left), n_right = doc_count_lines(right);
    size_t right_col = doc_width(left) + gap_cols;
    for (size_t line = 0; line < n_left || line < n_right; line++) {
        size_t cols = line < n_left ? width_of(left, line) : 0;
        if (line < n_left)
            copy_line(doc, left, line);
        if (line < n_right && line_end(right, line) > line_begin(right, line)) {
            add_spaces(doc, right_col - cols);
            copy_line(doc, right, line);
        }
        doc_end_line(doc);
    }
    doc->failed = doc->failed || left->failed || right->failed;
}

bool doc_check(const struct doc *doc, struct error *reterr)
{
    return doc->failed ? error_memory(reterr, "the text to show") : true;
}
