/* Putting Docs and errors before a person: see cli.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "show/backend.h"

bool print_doc(const struct doc *doc, const struct settings *settings)
{
    struct text text = {0};
    doc_to_ansi(doc, settings->colours, &text);
    bool ok = !text.failed && fwrite(text_string(&text), 1, text.size, stdout) == text.size &&
              fflush(stdout) == 0;
    text_release(&text);
    return ok;
}

bool finish_output(bool ok)
{
    if (ok && fflush(stdout) == 0)
        return true;
    fprintf(stderr, "attn: standard output: can't be written: %s\n", strerror(errno));
    return false;
}

enum { MARKED_COLS = 72 }; /* of a long line, what is shown around the place */

/* The part of the line around [begin, end) that is shown, in bytes of source. */
static void window(const char *source, size_t size, size_t begin, size_t end, size_t *ret_from,
                   size_t *ret_to)
{
    size_t from = begin, to = end;
    while (from > 0 && source[from - 1] != '\n')
        from--;
    while (to < size && source[to] != '\n')
        to++;
    if (to - from > MARKED_COLS && begin - from > MARKED_COLS / 2) {
        from = begin - MARKED_COLS / 2;
        while (from < begin && ((unsigned char)source[from] & 0xC0) == 0x80)
            from++; /* not inside a character */
    }
    if (to - from > MARKED_COLS)
        to = from + text_fit(source + from, to - from, MARKED_COLS);
    *ret_from = from;
    *ret_to = to;
}

/* The line of the source that the error is about, with its place marked below. */
static void print_place(const struct error *error, const char *source, size_t size)
{
    char shown[4 * MARKED_COLS + 8];
    size_t begin = error->begin, end = error->end < size ? error->end : size, from, to;
    while (end > begin && strchr(" \t\r\n", source[end - 1]) != NULL)
        end--;
    const char *newline = memchr(source + begin, '\n', end - begin);
    if (newline != NULL) /* of several lines, the first is shown */
        end = (size_t)(newline - source);
    window(source, size, begin, end, &from, &to);
    fprintf(stderr, "  %s\n", error_quote(shown, sizeof shown, source + from, to - from));
    if (end > to)
        end = to;
    size_t marks = text_width(source + begin, end - begin);
    fprintf(stderr, "  %*s", (int)text_width(source + from, begin - from), "");
    for (size_t i = 0; i < (marks ? marks : 1) && i < MARKED_COLS; i++)
        fputc('^', stderr);
    fputc('\n', stderr);
}

static size_t row_of(const char *source, size_t at)
{
    size_t row = 0;
    for (size_t i = 0; i < at; i++)
        row += source[i] == '\n';
    return row;
}

/* A message on lines of the terminal's width, or on one line where there is none. */
static void print_message(const char *message)
{
    struct doc doc;
    struct text lines = {0};
    size_t width = terminal_width(2);
    doc_init(&doc);
    doc_wrap(&doc, STYLE_PLAIN, message, width > 0 ? width : SIZE_MAX, 0);
    doc_to_plain(&doc, &lines);
    if (doc.failed || lines.failed)
        fprintf(stderr, "%s\n", message);
    else
        fputs(text_string(&lines), stderr);
    text_release(&lines);
    doc_release(&doc);
}

void print_error(const struct error *error, const char *source, size_t size, const char *name,
                 size_t line)
{
    (void)fflush(stdout);
    bool placed = error->end > error->begin && error->begin <= size;
    char message[4096 + sizeof error->text];
    if (name != NULL)
        snprintf(message, sizeof message, "attn: %.4000s, line %zu: %s", name,
                 line + (placed ? row_of(source, error->begin) : 0), error->text);
    else
        snprintf(message, sizeof message, "attn: %s", error->text);
    print_message(message);
    if (placed)
        print_place(error, source, size);
}
