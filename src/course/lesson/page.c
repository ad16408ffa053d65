/* See page.h. */
#include "course/lesson/page_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/size.h"
#include "course/lesson/prose_values_internal.h"
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

/* ---- lines that ran ---- */

void code_record_release(struct code_record *record)
{
    for (size_t i = 0; i < record->n; i++)
        doc_release(&record->lines[i].shown);
    free(record->lines);
    *record = (struct code_record){0};
}

bool code_record_run(struct session *session, const char *line, size_t size,
                     struct code_record *record, struct error *reterr)
{
    struct line_record *lines =
        array_grow(record->lines, record->n, &record->capacity, sizeof *record->lines);
    unsigned n_before = session->n_drawings;
    if (lines == NULL)
        return error_memory(reterr, "a line of the lesson");
    record->lines = lines;
    struct line_record *last = &lines[record->n];
    *last = (struct line_record){.line = line, .size = size};
    doc_init(&last->shown);
    bool was_author = session->is_author;
    session->is_author = true;
    bool ok = session_run(session, line, size, &last->shown, reterr);
    session->is_author = was_author;
    if (!ok) {
        doc_release(&last->shown);
        return false;
    }
    last->draws = session->n_drawings != n_before;
    last->draws_alone = last->draws && draws_alone(&session->drawing, line, size);
    record->n++;
    return true;
}

void code_record_show(const struct code_record *record, size_t width_cols, struct doc *out,
                      struct page_lines *ret_picture)
{
    for (size_t i = 0; i < record->n; i++) {
        const struct line_record *line = &record->lines[i];
        code_show(line->line, line->size, width_cols, out);
        size_t first = out->n_lines;
        doc_append(out, &line->shown, 0);
        if (line->draws && ret_picture != NULL)
            *ret_picture = line->draws_alone ? (struct page_lines){first, out->n_lines}
                                             : (struct page_lines){0};
    }
}

struct page_lines code_picture_lines(const struct session *session, const char *line, size_t size,
                                     size_t first, const struct doc *out)
{
    return draws_alone(&session->drawing, line, size) ? (struct page_lines){first, out->n_lines}
                                                      : (struct page_lines){0};
}

bool code_record_fits(const struct code_record *record, size_t from_cols, size_t to_cols)
{
    size_t least = size_min(from_cols, to_cols);
    bool fits = true;
    for (size_t i = 0; i < record->n && from_cols != to_cols; i++)
        fits = fits && doc_width(&record->lines[i].shown) < least / 2;
    return fits;
}

/* Runs code, and adds its lines with their output to *record, unless that is NULL. */
static bool run_code(struct session *session, const struct lesson_text *code,
                     struct code_record *record, unsigned *ret_line, struct error *reterr)
{
    bool ok = true;
    const char *line;
    size_t size;
    struct code_lines lines = code_lines_of(code);
    while (ok && code_lines_next(&lines, &line, &size)) {
        struct code_record unseen = {0};
        if (text_is_blank(line, size))
            continue;
        ok = code_record_run(session, line, size, record != NULL ? record : &unseen, reterr);
        code_record_release(&unseen);
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
    struct code_record record = {0};
    bool ok = run_code(session, code, out != NULL ? &record : NULL, ret_line, reterr);
    if (out != NULL)
        code_record_show(&record, session->settings.width_cols, out, NULL);
    code_record_release(&record);
    return ok && (out == NULL || doc_check(out, reterr));
}

/* The columns for the output of a page's code, which may be wider than the page's prose. */
static size_t output_cols(const struct settings *settings)
{
    return size_max(settings->width_cols, settings->output_cols);
}

static bool run_page_code(struct session *session, const struct lesson_text *code,
                          struct code_record *record, unsigned *ret_line, struct error *reterr)
{
    struct settings *settings = &session->settings;
    size_t before = settings->width_cols;
    settings->width_cols = output_cols(settings);
    bool ok = run_code(session, code, record, ret_line, reterr);
    settings->width_cols = before;
    return ok;
}

/* ---- prose ---- */

/* Lays out Markdown whose numbers are filled in. */
static void lay_out_prose(const struct text *filled, const struct settings *settings,
                          size_t width_cols, struct doc *out)
{
    struct show_options options = settings_show_options(settings);
    options.width_cols = size_min(width_cols, PROSE_COLS_MAX);
    markdown_show(out, text_string(filled), filled->size, &options);
}

static bool show_prose(struct session *session, const char *markdown, size_t width_cols,
                       struct doc *out, unsigned *ret_line, struct error *reterr)
{
    struct text text = {0};
    bool ok = prose_values_fill(session, markdown, &text, ret_line, reterr);
    if (ok) {
        lay_out_prose(&text, &session->settings, width_cols, out);
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

/* Adds the lines of an item without its mark, the first `mark` bytes of each. */
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

/* Adds the part's Markdown with its numbers filled in. The question's options become empty lines,
 * so that places of errors stay the same. */
static bool fill_unlisted(struct session *session, const struct lesson_text *prose,
                          const struct question *question, struct text *out, unsigned *ret_line,
                          struct error *reterr)
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
    bool ok = markdown.failed
                  ? error_memory(reterr, "a page")
                  : prose_values_fill(session, text_string(&markdown), out, ret_line, reterr);
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

/* Replaces *shown by a copy without the hidden value. */
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

/* Adds the values that the question hides, as they are shown, each with a NUL after it. */
static bool list_hidden(const struct question *question, struct session *session, struct text *out,
                        struct error *reterr)
{
    for (unsigned i = 0; i < question->n_hides; i++) {
        struct value value;
        if (!session_peek(session, NULL, question->hides[i].text, &value, reterr))
            return false;
        bool ok = prose_value_say(session, &value, out, reterr);
        text_char(out, '\0');
        value_release(&value);
        if (!ok)
            return false;
    }
    return !out->failed || error_memory(reterr, "a page");
}

static void hide_all(struct doc *shown, const struct text *hidden)
{
    for (size_t at = 0; at < hidden->size; at += strlen(hidden->bytes + at) + 1)
        hide(shown, hidden->bytes + at);
}

bool page_hide(const struct question *question, struct session *session, struct doc *shown,
               struct error *reterr)
{
    struct text hidden = {0};
    bool ok = list_hidden(question, session, &hidden, reterr);
    if (ok)
        hide_all(shown, &hidden);
    text_release(&hidden);
    return ok && doc_check(shown, reterr);
}

/* ---- pages ---- */

void page_record_release(struct page_record *record)
{
    for (size_t i = 0; i < record->n_parts; i++) {
        text_release(&record->parts[i].prose);
        text_release(&record->parts[i].unlisted);
        text_release(&record->parts[i].hidden);
        code_record_release(&record->parts[i].code);
    }
    free(record->parts);
    *record = (struct page_record){0};
}

/* Runs a part, and records its output. */
static bool take_part(struct session *session, const struct page_part *part,
                      const struct question *omitted, const struct question *hiding,
                      struct part_record *record, unsigned *ret_line, struct error *reterr)
{
    if (part->kind != PART_PROSE) {
        *ret_line = part->source.line;
        return run_page_code(session, &part->source, part->kind == PART_CODE ? &record->code : NULL,
                             ret_line, reterr) &&
               (hiding == NULL || part->kind != PART_CODE ||
                part->source.line < hiding->line || /* the hidden value may not exist yet */
                list_hidden(hiding, session, &record->hidden, reterr));
    }
    bool ok = (omitted == NULL || fill_unlisted(session, &part->source, omitted, &record->unlisted,
                                                ret_line, reterr)) &&
              prose_values_fill(session, part->source.text, &record->prose, ret_line, reterr);
    record->has_unlisted = omitted != NULL;
    if (!ok)
        *ret_line += part->source.line;
    return ok;
}

static bool preview_prose(const struct lesson_text *prose, const struct settings *settings,
                          struct doc *out, struct error *reterr)
{
    struct text text = {0};
    bool ok = prose_values_fill(NULL, prose->text, &text, NULL, reterr);
    if (ok)
        lay_out_prose(&text, settings, settings->width_cols, out);
    text_release(&text);
    return ok;
}

bool page_preview(const struct page *page, const struct settings *settings, struct doc *out,
                  struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    bool ok = true;
    for (size_t i = 0; ok && i < page->n_parts; i++) {
        const struct page_part *part = &page->parts[i];
        if (part->kind == PART_QUIET)
            continue;
        if (out->n_lines > end.n_lines)
            doc_end_line(out);
        if (part->kind == PART_PROSE)
            ok = preview_prose(&part->source, settings, out, reterr);
        else
            code_show(part->source.text, strlen(part->source.text), settings->width_cols, out);
    }
    return doc_keep(out, &end, ok, reterr);
}

bool page_take(struct session *session, const struct page *page, unsigned look,
               struct page_record *ret, unsigned *ret_line, struct error *reterr)
{
    const struct question *omitted = (look & PAGE_WITHOUT_OPTIONS) != 0 ? page->question : NULL;
    const struct question *hiding = (look & PAGE_HIDES) != 0 ? page->question : NULL;
    struct page_record record = {
        .n_parts = page->n_parts, .output_cols = output_cols(&session->settings), .look = look};
    record.parts = calloc(page->n_parts + 1, sizeof *record.parts);
    bool ok = record.parts != NULL || error_memory(reterr, "a page");
    for (size_t i = 0; ok && i < page->n_parts; i++)
        ok = take_part(session, &page->parts[i], omitted, hiding, &record.parts[i], ret_line,
                       reterr);
    if (ok) {
        *ret = record;
        return true;
    }
    if (record.parts != NULL)
        page_record_release(&record);
    return false;
}

bool page_record_fits(const struct page_record *record, unsigned look,
                      const struct settings *settings)
{
    bool fits = record->parts != NULL && (look & ~record->look) == 0;
    for (size_t i = 0; fits && i < record->n_parts; i++)
        fits = code_record_fits(&record->parts[i].code, record->output_cols, output_cols(settings));
    return fits;
}

/* Adds a part; *ret_picture is the picture's place among the lines of out, which is empty. */
static void lay_out_part(const struct part_record *part, unsigned look,
                         const struct settings *settings, struct doc *out,
                         struct page_lines *ret_picture)
{
    bool is_unlisted = (look & PAGE_WITHOUT_OPTIONS) != 0 && part->has_unlisted;
    const struct text *prose = is_unlisted ? &part->unlisted : &part->prose;
    if (prose->size > 0)
        lay_out_prose(prose, settings, settings->width_cols, out);
    code_record_show(&part->code, output_cols(settings), out, ret_picture);
    if ((look & PAGE_HIDES) != 0)
        hide_all(out, &part->hidden);
}

static bool draws(const struct code_record *code)
{
    bool does = false;
    for (size_t i = 0; i < code->n; i++)
        does = does || code->lines[i].draws;
    return does;
}

bool page_lay_out(const struct page_record *record, unsigned look, const struct settings *settings,
                  struct doc *out, struct page_lines *ret_picture, struct error *reterr)
{
    bool is_first = true;
    struct page_lines last = {0};
    for (size_t i = 0; i < record->n_parts; i++) {
        struct doc shown;
        struct page_lines picture = {0};
        doc_init(&shown);
        lay_out_part(&record->parts[i], look, settings, &shown, &picture);
        if (shown.n_lines > 0) {
            if (!is_first) /* an empty line between parts; some show nothing */
                doc_end_line(out);
            if (draws(&record->parts[i].code))
                last =
                    (struct page_lines){out->n_lines + picture.first, out->n_lines + picture.end};
            doc_append(out, &shown, 0);
            is_first = false;
        }
        out->failed = out->failed || shown.failed;
        doc_release(&shown);
    }
    if (ret_picture != NULL)
        *ret_picture = last;
    return doc_check(out, reterr);
}

bool page_run(struct session *session, const struct page *page, unsigned look, struct doc *out,
              unsigned *ret_line, struct error *reterr)
{
    struct page_record record = {0};
    bool ok = true;
    if (out != NULL) {
        ok = page_take(session, page, look, &record, ret_line, reterr) &&
             page_lay_out(&record, look, &session->settings, out, NULL, reterr);
        page_record_release(&record);
        return ok;
    }
    for (size_t i = 0; ok && i < page->n_parts; i++)
        ok = page->parts[i].kind == PART_PROSE ||
             run_page_code(session, &page->parts[i].source, NULL, ret_line, reterr);
    return ok;
}
