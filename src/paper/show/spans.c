/* A Doc as bytes that become a Doc again: see backend.h.
 *
 * A span is a letter for its style ('a' is the first), ",FRONT,BACK" where it has tints, the number
 * of its bytes, ':' and the bytes. Bytes hold no newline, so that a newline ends a line. */
#include "show/backend.h"

#include <string.h>

enum { MAX_TINT = TINT_COUNT - 1, MAX_DIGITS = 9 };

static void put_spans(const struct doc *doc, size_t line, struct text *out)
{
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans);
    for (size_t i = 0; i < n_spans; i++) {
        const struct span *span = &spans[i];
        text_char(out, (char)('a' + span->style));
        if (span->front != TINT_NONE || span->back != TINT_NONE)
            text_format(out, ",%d,%d,", span->front, span->back);
        text_format(out, "%zu:", span->end - span->begin);
        text_add(out, doc->text.bytes + span->begin, span->end - span->begin);
    }
}

void doc_to_spans(const struct doc *doc, struct text *out)
{
    for (size_t line = 0; line < doc->n_lines; line++) {
        put_spans(doc, line, out);
        text_char(out, '\n');
    }
    put_spans(doc, doc->n_lines, out);
}

/* The rest of the text. */
struct spans_reader {
    const char *at, *end;
};

static bool take(struct spans_reader *reader, char c)
{
    bool here = reader->at < reader->end && *reader->at == c;
    reader->at += here;
    return here;
}

static bool take_number(struct spans_reader *reader, size_t *ret)
{
    const char *begin = reader->at;
    *ret = 0;
    while (reader->at < reader->end && text_is_digit(*reader->at) &&
           reader->at - begin < MAX_DIGITS)
        *ret = *ret * 10 + (size_t)(*reader->at++ - '0');
    return reader->at > begin;
}

static bool take_tint(struct spans_reader *reader, int16_t *ret)
{
    size_t number;
    bool none = take(reader, '-');
    if (!take_number(reader, &number) || (none ? number != 1 : number > MAX_TINT))
        return false;
    *ret = none ? TINT_NONE : (int16_t)number;
    return take(reader, ',');
}

static bool read_span(struct spans_reader *reader, struct doc *doc)
{
    struct span look = {.front = TINT_NONE, .back = TINT_NONE};
    size_t size;
    int style = *reader->at++ - 'a';
    if (style < 0 || style >= STYLE_COUNT)
        return false;
    look.style = (enum style)style;
    if (take(reader, ',') && (!take_tint(reader, &look.front) || !take_tint(reader, &look.back)))
        return false;
    if (!take_number(reader, &size) || !take(reader, ':') ||
        size > (size_t)(reader->end - reader->at) || memchr(reader->at, '\n', size) != NULL)
        return false;
    doc_put_span(doc, reader->at, size, look);
    reader->at += size;
    return true;
}

bool doc_read(struct doc *doc, const char *bytes, size_t size, struct error *reterr)
{
    struct spans_reader reader = {bytes, bytes + size};
    while (reader.at < reader.end) {
        if (take(&reader, '\n'))
            doc_end_line(doc);
        else if (!read_span(&reader, doc))
            return error_set(reterr, ERR_SYNTAX, "the text to show: it is cut off or damaged");
    }
    return doc_check(doc, reterr);
}
