/* See page.h. */
#include "course/lesson/page.h"

#include <ctype.h>
#include <string.h>

#include "base/size.h"
#include "course/lesson/prose_values.h"
#include "lang/syntax/lexer.h"
#include "show/markdown.h"

enum {
    PROMPT_COLS = 6,
    CODE_COLS_MIN = 20,
    PROSE_COLS_MAX = 88, /* longer lines are hard to follow */
};

void words_show(struct doc *out, enum style style, size_t width_cols, const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&text, format, arguments);
    va_end(arguments);
    doc_wrap(out, style, text_string(&text), width_cols, 0);
    out->failed = out->failed || text.failed;
    text_release(&text);
}

struct doc_end doc_end_of(const struct doc *doc)
{
    return (struct doc_end){doc->n_lines, doc->n_spans, doc->text.size, doc->failed};
}

void doc_take_back(struct doc *doc, const struct doc_end *end)
{
    doc->n_lines = end->n_lines;
    doc->n_spans = end->n_spans;
    doc->failed = end->failed;
    text_shrink(&doc->text, end->size);
}

bool doc_keep(struct doc *doc, const struct doc_end *end, bool ok, struct error *reterr)
{
    ok = ok && doc_check(doc, reterr);
    if (!ok)
        doc_take_back(doc, end);
    return ok;
}

struct code_lines code_lines_of(const struct lesson_text *code)
{
    struct code_lines lines = {0};
    if (code != NULL) {
        lines.text = code->text;
        lines.size = strlen(code->text);
    }
    return lines;
}

bool code_lines_next(struct code_lines *lines, const char **ret_line, size_t *ret_size)
{
    bool open;
    if (lines->at >= lines->size)
        return false;
    *ret_line = lines->text + lines->at;
    *ret_size = lexer_line(*ret_line, lines->size - lines->at, &open);
    lines->at += *ret_size;
    return true;
}

bool code_line_is_blank(const char *line, size_t size)
{
    size_t i = 0;
    while (i < size && isspace((unsigned char)line[i]))
        i++;
    return i == size || (line[i] == '#' && memchr(line + i, '\n', size - i - 1) == NULL);
}

unsigned code_line_number(const struct lesson_text *code, const char *at)
{
    unsigned line = code->line;
    for (const char *c = code->text; c < at; c++)
        line += *c == '\n';
    return line;
}

/* The row after its prompt, broken at blanks to `cols` columns. */
static void show_row(const char *line, size_t size, size_t cols, struct doc *out)
{
    size_t shown = 0;
    do {
        size_t left = size - shown, most = text_fit(line + shown, left, cols), fits = most;
        while (most < left && fits > 0 && line[shown + fits] != ' ')
            fits--;
        if (fits == 0) /* no blank to break it at */
            fits = most;
        if (shown > 0)
            doc_add(out, STYLE_QUIET, "        ");
        doc_put(out, STYLE_NAME, line + shown, fits);
        doc_end_line(out);
        shown += fits + (fits == 0);
        while (shown < size && line[shown] == ' ')
            shown++;
    } while (shown < size);
}

static size_t code_cols(size_t width_cols)
{
    return width_cols > PROMPT_COLS + CODE_COLS_MIN ? width_cols - PROMPT_COLS - 2 : CODE_COLS_MIN;
}

void code_show_row(const char *prompt, const char *row, size_t size, size_t width_cols,
                   struct doc *out)
{
    if (size > 0)
        doc_add(out, STYLE_QUIET, "%s", prompt);
    show_row(row, size, code_cols(width_cols), out);
}

void code_show(const char *code, size_t size, size_t width_cols, struct doc *out)
{
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(code + at, '\n', size - at);
        size_t end = newline != NULL ? (size_t)(newline - code) : size;
        size_t seen = end > at && code[end - 1] == '\r' ? end - 1 : end;
        doc_add(out, STYLE_QUIET, at == 0 ? "attn> " : "  ... ");
        show_row(code + at, seen - at, code_cols(width_cols), out);
        at = end + 1;
    }
}

/* Whether a drawing is all that a line does. */
static bool draws_alone(const struct last_drawing *drawing, const char *line, size_t size)
{
    while (size > 0 && isspace((unsigned char)line[size - 1]))
        size--;
    return drawing->source.size == size && memcmp(drawing->source.bytes, line, size) == 0;
}

/* As code_run(); *ret_picture becomes the lines of *out that are the last picture's, without the
 * code that draws it. */
static bool run_code(struct session *session, const struct lesson_text *code, struct doc *out,
                     struct page_lines *ret_picture, unsigned *ret_line, struct error *reterr)
{
    bool ok = true;
    const char *line;
    size_t size;
    struct code_lines lines = code_lines_of(code);
    while (ok && code_lines_next(&lines, &line, &size)) {
        struct doc shown;
        unsigned n_before = session->n_drawings;
        if (text_is_blank(line, size))
            continue;
        doc_init(&shown);
        ok = session_run(session, line, size, &shown, reterr);
        if (ok && out != NULL) {
            code_show(line, size, session->settings.width_cols, out);
            size_t first = out->n_lines;
            doc_append(out, &shown, 0);
            if (session->n_drawings != n_before)
                *ret_picture = draws_alone(&session->drawing, line, size)
                                   ? (struct page_lines){first, out->n_lines}
                                   : (struct page_lines){0};
            ok = doc_check(out, reterr);
        }
        doc_release(&shown);
        if (!ok)
            *ret_line = code_line_number(code, line);
    }
    if (!ok && reterr != NULL)
        reterr->begin = reterr->end = 0;
    return ok;
}

bool code_run(struct session *session, const struct lesson_text *code, struct doc *out,
              unsigned *ret_line, struct error *reterr)
{
    struct page_lines picture;
    return run_code(session, code, out, &picture, ret_line, reterr);
}

/* The code of a page: it may print more columns than the page's prose has. */
static bool run_page_code(struct session *session, const struct lesson_text *code, struct doc *out,
                          struct page_lines *ret_picture, unsigned *ret_line, struct error *reterr)
{
    struct settings *settings = &session->settings;
    size_t before = settings->width_cols;
    settings->width_cols = size_max(before, settings->output_cols);
    bool ok = run_code(session, code, out, ret_picture, ret_line, reterr);
    settings->width_cols = before;
    return ok;
}

static bool show_prose(struct session *session, const char *markdown, size_t width_cols,
                       struct doc *out, unsigned *ret_line, struct error *reterr)
{
    struct text text = {0};
    struct show_options options = settings_show_options(&session->settings);
    options.width_cols = size_min(width_cols, PROSE_COLS_MAX);
    bool ok = prose_values_fill(session, markdown, &text, ret_line, reterr);
    if (ok) {
        markdown_show(out, text_string(&text), text.size, &options);
        ok = doc_check(out, reterr);
    }
    text_release(&text);
    return ok;
}

bool prose_show(struct session *session, const char *markdown, struct doc *out, unsigned *ret_line,
                struct error *reterr)
{
    return show_prose(session, markdown, session->settings.width_cols, out, ret_line, reterr);
}

/* Adds the lines of an item without its mark, which takes so many bytes of each. */
static void append_unmarked(struct doc *out, const struct doc *item, size_t mark)
{
    for (size_t i = 0; i < item->n_lines; i++) {
        const struct span *span;
        size_t n = doc_line_spans(item, i, &span), left = mark;
        for (; n > 0; n--, span++) {
            size_t size = span->end - span->begin;
            if (size > left)
                doc_put_span(out, item->text.bytes + span->begin + left, size - left, *span);
            left -= size_min(size, left);
        }
        doc_end_line(out);
    }
    out->failed = out->failed || item->failed;
}

bool option_show(struct session *session, const char *option, size_t width_cols, struct doc *out,
                 unsigned *ret_line, struct error *reterr)
{
    static const char mark[] = "1. "; /* it is shown as the item that it is */
    struct text markdown = {0};
    struct doc item;
    doc_init(&item);
    text_format(&markdown, "%s%s", mark, option);
    bool ok = !markdown.failed || error_memory(reterr, "an option");
    ok = ok && show_prose(session, text_string(&markdown), width_cols + sizeof mark - 1, &item,
                          ret_line, reterr);
    if (ok)
        append_unmarked(out, &item, sizeof mark - 1);
    doc_release(&item);
    text_release(&markdown);
    return ok && doc_check(out, reterr);
}

static bool is_in_option(const struct question *question, unsigned line)
{
    for (size_t i = 0; i < question->n_options; i++) {
        const struct lesson_text *option = &question->options[i];
        const char *end = option->text + strlen(option->text);
        if (line >= option->line && line <= code_line_number(option, end))
            return true;
    }
    return false;
}

/* The part's Markdown, where the question's options are empty lines, so that places of errors stay.
 */
static bool show_without_options(struct session *session, const struct lesson_text *prose,
                                 const struct question *question, struct doc *out,
                                 unsigned *ret_line, struct error *reterr)
{
    struct text markdown = {0};
    unsigned line = prose->line;
    for (const char *at = prose->text; *at != '\0'; line++) {
        size_t size = strcspn(at, "\n");
        if (!is_in_option(question, line))
            text_add(&markdown, at, size);
        at += size;
        if (*at == '\n')
            text_char(&markdown, *at++);
    }
    bool ok = markdown.failed ? error_memory(reterr, "a page")
                              : prose_show(session, text_string(&markdown), out, ret_line, reterr);
    text_release(&markdown);
    return ok;
}

/* Whether bytes [at, at + size) of text stand alone: 0.5 does not in 10.53. */
static bool stands_alone(const char *text, size_t length, size_t at, size_t size)
{
    static const char parts[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
    return (at == 0 || strchr(parts, text[at - 1]) == NULL) &&
           (at + size >= length || strchr(parts, text[at + size]) == NULL);
}

/* Adds a span's text with each place of hidden replaced by a question mark. */
static void put_hidden(struct doc *out, const char *text, size_t length, struct span span,
                       const char *hidden)
{
    size_t size = strlen(hidden), begin = 0;
    for (size_t at = 0; size > 0 && at + size <= length; at++) {
        if (memcmp(text + at, hidden, size) != 0 || !stands_alone(text, length, at, size))
            continue;
        doc_put_span(out, text + begin, at - begin, span);
        doc_put_span(out, "?", 1, span);
        begin = at + size;
        at = begin - 1;
    }
    doc_put_span(out, text + begin, length - begin, span);
}

/* Replaces *shown by itself without what is hidden. */
static void hide(struct doc *shown, const char *hidden)
{
    struct doc left;
    doc_init(&left);
    for (size_t i = 0; i < shown->n_lines; i++) {
        const struct span *span;
        size_t n = doc_line_spans(shown, i, &span);
        for (; n > 0; n--, span++)
            put_hidden(&left, shown->text.bytes + span->begin, span->end - span->begin, *span,
                       hidden);
        doc_end_line(&left);
    }
    left.failed = left.failed || shown->failed;
    doc_release(shown);
    *shown = left;
}

bool page_hide(const struct question *question, struct session *session, struct doc *shown,
               struct error *reterr)
{
    for (unsigned i = 0; i < question->n_hides; i++) {
        struct value value;
        struct text text = {0};
        if (!session_peek(session, NULL, question->hides[i].text, &value, reterr))
            return false;
        bool ok = prose_value_say(session, &value, &text, reterr);
        if (ok)
            hide(shown, text_string(&text));
        value_release(&value);
        text_release(&text);
        if (!ok)
            return false;
    }
    return doc_check(shown, reterr);
}

static bool show_part(struct session *session, const struct page_part *part,
                      const struct question *omitted, const struct question *hiding,
                      struct doc *out, struct page_lines *ret_picture, unsigned *ret_line,
                      struct error *reterr)
{
    if (part->kind != PART_PROSE) {
        *ret_line = part->source.line;
        return run_page_code(session, &part->source, part->kind == PART_CODE ? out : NULL,
                             ret_picture, ret_line, reterr) &&
               (hiding == NULL || part->kind != PART_CODE ||
                part->source.line < hiding->line || /* what it hides may not exist yet */
                page_hide(hiding, session, out, reterr));
    }
    if (omitted != NULL
            ? show_without_options(session, &part->source, omitted, out, ret_line, reterr)
            : prose_show(session, part->source.text, out, ret_line, reterr))
        return true;
    *ret_line += part->source.line;
    return false;
}

bool page_run(struct session *session, const struct page *page, unsigned look, struct doc *out,
              struct page_lines *ret_picture, unsigned *ret_line, struct error *reterr)
{
    const struct question *omitted = (look & PAGE_WITHOUT_OPTIONS) != 0 ? page->question : NULL;
    const struct question *hiding = (look & PAGE_HIDES) != 0 ? page->question : NULL;
    bool ok = true, is_first = true;
    struct page_lines last = {0};
    for (size_t i = 0; ok && i < page->n_parts; i++) {
        struct doc shown;
        struct page_lines picture = {0};
        unsigned n_before = session->n_drawings;
        if (out == NULL && page->parts[i].kind == PART_PROSE)
            continue;
        doc_init(&shown);
        ok = show_part(session, &page->parts[i], omitted, hiding, &shown, &picture, ret_line,
                       reterr);
        if (ok && out != NULL && shown.n_lines > 0) {
            if (!is_first) /* an empty line between parts; some show nothing */
                doc_end_line(out);
            if (session->n_drawings != n_before) /* prose may draw nothing */
                last =
                    (struct page_lines){out->n_lines + picture.first, out->n_lines + picture.end};
            doc_append(out, &shown, 0);
            is_first = false;
            ok = doc_check(out, reterr);
        }
        doc_release(&shown);
    }
    if (ret_picture != NULL)
        *ret_picture = last;
    return ok;
}
