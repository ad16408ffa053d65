/* A Doc as text alone: see backend.h. */
#include "show/backend.h"

static void put_line(const struct doc *doc, size_t line, struct text *out)
{
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans);
    for (size_t i = 0; i < n_spans; i++)
        text_add(out, doc->text.bytes + spans[i].begin, spans[i].end - spans[i].begin);
}

void doc_to_plain(const struct doc *doc, struct text *out)
{
    for (size_t line = 0; line < doc->n_lines; line++) {
        put_line(doc, line, out);
        text_char(out, '\n');
    }
    put_line(doc, doc->n_lines, out); /* the open line, without a newline */
}
