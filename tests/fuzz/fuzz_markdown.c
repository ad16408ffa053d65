/* Fuzzes what is made of Markdown: whatever the text, the lines keep to their width and a terminal
 * can be trusted with them. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "show/markdown.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool fine)
{
    if (!fine)
        abort();
}

/* Only code may be wider than the line. */
static void check_line(const struct doc *doc, size_t line, size_t width_cols)
{
    const struct span *spans;
    size_t n_spans = doc_line_spans(doc, line, &spans);
    bool has_code = false;
    for (size_t i = 0; i < n_spans; i++)
        has_code = has_code || spans[i].style == STYLE_NAME || spans[i].style == STYLE_NUMBER;
    check(has_code || doc_line_width(doc, line) <= width_cols);
}

static void check_text(const struct doc *doc)
{
    for (size_t i = 0; i < doc->text.size;) {
        struct text_character character = text_character(doc->text.bytes + i, doc->text.size - i);
        check(character.printable);
        i += character.size;
    }
}

static bool is_ascii(const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (bytes[i] <= 0)
            return false;
    return true;
}

static void show(const char *markdown, size_t size, const struct show_options *options)
{
    struct doc doc;
    doc_init(&doc);
    markdown_show(&doc, markdown, size, options);
    check(!doc.failed);
    for (size_t line = 0; line < doc.n_lines; line++)
        check_line(&doc, line, options->width_cols);
    check_text(&doc);
    if (options->ascii && is_ascii(markdown, size) && memchr(markdown, '&', size) == NULL)
        check(is_ascii(text_string(&doc.text), doc.text.size));
    doc_release(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *markdown = size > 0 ? (const char *)data : "";
    show(markdown, size, &(struct show_options){.width_cols = 20, .digits = 3, .ascii = true});
    show(markdown, size, &(struct show_options){.width_cols = 80, .digits = 3, .colour = true});
    return 0;
}
