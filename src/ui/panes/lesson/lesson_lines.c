/* All lines of the pane: the page, the answer under way, hints, what was said. See reader_parts.h.
 */
#include <stdio.h>
#include <string.h>

#include "ui/panes/lesson/lesson_pane_internal.h"

/* Lines of other widths. */

static bool has_cells(const struct span *spans, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (spans[i].cell.tensor != 0)
            return true;
    return false;
}

/* Blanks, and the word behind them. */
static size_t token_size(const char *text, size_t size)
{
    size_t at = 0;
    while (at < size && text[at] == ' ')
        at++;
    while (at < size && text[at] != ' ')
        at++;
    return at;
}

/* Adds a span, at blanks on lines of their own where it is too long. *used columns are taken. */
static void put_broken(struct doc *out, const char *text, const struct span *span, size_t cols,
                       size_t *used)
{
    for (size_t at = span->begin, size; at < span->end; at += size) {
        size = token_size(text + at, span->end - at);
        size_t width = text_width(text + at, size), blanks = 0;
        if (*used > 0 && *used + width > cols) {
            doc_end_line(out);
            blanks = strspn(text + at, " ");
            blanks = blanks < size ? blanks : size;
            width -= blanks;
            *used = 0;
        }
        doc_put_span(out, text + at + blanks, size - blanks, *span);
        *used += width;
    }
}

/* Adds lines [first, end). Those that were laid out for a wider pane are broken; the rows of
 * matrices are left as they are, to be cut. */
static void put_fitted(struct doc *out, const struct doc *from, size_t first, size_t end,
                       size_t cols)
{
    for (size_t line = first; line < end; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(from, line, &spans), used = 0;
        bool whole = doc_line_width(from, line) <= cols || has_cells(spans, n);
        for (size_t i = 0; i < n; i++)
            if (whole)
                doc_put_span(out, from->text.bytes + spans[i].begin, spans[i].end - spans[i].begin,
                             spans[i]);
            else
                put_broken(out, from->text.bytes, &spans[i], cols, &used);
        doc_end_line(out);
    }
    out->failed = out->failed || from->failed;
}

/* The page. */

/* The heading of the page's question: the last one that has a sign before it and no rule below. */
static size_t find_question(const struct doc *page)
{
    for (size_t line = page->n_lines; line-- > 0;) {
        const struct span *spans;
        if (doc_line_spans(page, line, &spans) == 0 || spans[0].style != STYLE_TITLE)
            continue;
        const char *text = page->text.bytes + spans[0].begin;
        size_t size = spans[0].end - spans[0].begin;
        if ((size >= 3 && memcmp(text, "\xE2\x96\xBA", 3) == 0) || text[0] == '>')
            return line;
    }
    return page->n_lines > 0 ? page->n_lines - 1 : 0;
}

/* Options. */

static const char *choice_mark(const struct reader *reader, const struct reader_option *option,
                               bool ascii)
{
    const struct player *player = reader->tutor->player;
    bool several = reader->ask == READER_ASKS_SEVERAL;
    if (option->tried && reader_ask(reader) != READER_ASKS_NOTHING)
        return ascii ? "x" : "\xE2\x9C\x97";
    if (!option->picked)
        return " ";
    bool is_right = reader_ask(reader) == READER_ASKS_NOTHING && player->state.right &&
                    question_is_judged(player_page(player)->question->kind);
    if (several || is_right)
        return ascii ? (several ? "x" : "*") : "\xE2\x9C\x93";
    return ascii ? "*" : "\xE2\x80\xA2";
}

/* "> 1 (*)", "> 1 [x]" or "> 1." */
static void put_mark(const struct reader *reader, size_t i, bool ascii, struct doc *doc)
{
    const struct reader_option *option = &reader->options[i];
    bool here = reader_ask(reader) != READER_ASKS_NOTHING && i == reader->option;
    bool several = reader->ask == READER_ASKS_SEVERAL;
    const char *cursor = ascii ? ">" : "\xE2\x96\xB8";
    doc_add(doc, STYLE_TITLE, "%s ", here ? cursor : " ");
    if (reader->ask == READER_ASKS_ORDER) {
        doc_add(doc, STYLE_NUMBER, "%zu.", i + 1);
        return;
    }
    doc_add(doc, STYLE_NUMBER, "%zu ", i + 1);
    doc_add(doc, STYLE_TITLE, "%c%s%c", several ? '[' : '(', choice_mark(reader, option, ascii),
            several ? ']' : ')');
}

static void add_options(const struct reader *reader, bool ascii, struct reader_lines *lines)
{
    for (size_t i = 0; i < reader->n_options; i++) {
        struct doc mark;
        size_t first = lines->doc.n_lines;
        doc_init(&mark);
        put_mark(reader, i, ascii, &mark);
        doc_append_beside(&lines->doc, &mark, &reader->options[i].text, 1);
        doc_release(&mark);
        if (i == reader->option && reader_ask(reader) != READER_ASKS_NOTHING) {
            lines->cursor = first;
            lines->cursor_end = lines->doc.n_lines;
        }
    }
}

/* How to answer. */

static void guide_options(const struct reader *reader, char text[80])
{
    size_t n = reader->n_options < 9 ? reader->n_options : 9;
    if (reader->ask == READER_ASKS_ONE)
        snprintf(text, 80, "1-%zu or arrows choose, Enter gives it", n);
    else if (reader->ask == READER_ASKS_SEVERAL)
        snprintf(text, 80, "1-%zu or Space tick, Enter gives all that is ticked", n);
    else
        snprintf(text, 80, "J K or Shift-arrows carry a step, Enter gives the order");
}

static void guide_field(const struct reader *reader, char text[80])
{
    bool number = reader->ask == READER_ASKS_NUMBER;
    bool full = reader->field.size + KEY_BYTES >= FIELD_BYTES;
    const char *says = number ? "digits, or i: a formula like 2/3" : "i or Enter, then type";
    if (reader->types)
        says = number ? "Enter gives it, Esc clears it" : "Enter gives it, Esc: keys again";
    else if (reader->field.size > 0)
        says = "i or Enter goes on typing";
    if (full)
        says = "that is all that fits";
    snprintf(text, 80, "%s", says);
}

/* Behind the last page: where the keys lead. */
static void guide_on(const struct reader *reader, char text[80])
{
    const struct player *player = reader->tutor->player;
    const struct course_entry *next = reader_next_lesson(reader);
    if (next != NULL)
        snprintf(text, 80, "Enter opens lesson %u, Esc home", next->number);
    else if (player == NULL)
        snprintf(text, 80, "Enter: on with the course, Esc home");
    else if (player->is_review)
        snprintf(text, 80, "Enter asks the next, Esc home");
    else
        snprintf(text, 80, "Esc goes home");
}

/* Whether lines of the page wait to be typed. */
static bool offers(const struct reader *reader)
{
    return !reader_is_over(reader) && player_is_offering(reader->tutor->player);
}

/* The exercise that the page asks for. */
static bool is_solved(const struct reader *reader)
{
    const char *name = reader_question(reader)->exercise.text;
    return progress_is_solved(reader->tutor->progress, name);
}

const char *reader_guide(const struct reader *reader, char text[80])
{
    enum reader_ask ask = reader_ask(reader);
    text[0] = '\0';
    if (reader_is_over(reader))
        guide_on(reader, text);
    else if (reader->waits && ask == READER_ASKS_SEVERAL)
        snprintf(text, 80, "tick what is right; h hint, s skip");
    else if (reader->waits && ask == READER_ASKS_ONE)
        snprintf(text, 80, "choose by number or arrows; h hint, s skip");
    else if (reader->waits && ask == READER_ASKS_ORDER)
        snprintf(text, 80, "carry steps with J and K; h hint, s skip");
    else if (reader->waits && ask != READER_ASKS_NOTHING)
        snprintf(text, 80, "it waits: h hint, s skip");
    else if (offers(reader))
        snprintf(text, 80, "/ leads to the prompt, to type it or anything else; n runs it");
    else if (ask == READER_ASKS_EXERCISE)
        snprintf(text, 80, "%s",
                 is_solved(reader) ? "it is solved: Enter goes on"
                                   : "Enter or o goes to it, Escape comes back");
    else if (ask == READER_ASKS_CELLS && reader->types)
        snprintf(text, 80, "Enter goes on, Esc takes it back");
    else if (ask == READER_ASKS_CELLS)
        snprintf(text, 80, "numbers, or i and a formula; Enter goes on, and gives all at the end");
    else if (reader_has_field(reader))
        guide_field(reader, text);
    else if (ask != READER_ASKS_NOTHING)
        guide_options(reader, text);
    return text;
}

/* The parts below the page. */

static void add_guide(const struct reader *reader, bool ascii, struct doc *doc)
{
    char text[80], line[100];
    bool exercise = reader_ask(reader) == READER_ASKS_EXERCISE;
    const char *cursor = ascii ? "> " : "\xE2\x96\xB8 ";
    if (reader_foot_rows(reader) > 0 || reader_guide(reader, text)[0] == '\0')
        return;
    snprintf(line, sizeof line, "%s%s", exercise ? cursor : "", text);
    doc_wrap(doc,
             reader->waits ? STYLE_NOTE
             : exercise    ? STYLE_TITLE
                           : STYLE_QUIET,
             line, reader_text_cols(reader), 0);
}

static void add_answer(const struct reader *reader, bool ascii, struct reader_lines *lines)
{
    struct doc *doc = &lines->doc;
    enum reader_ask ask = reader_ask(reader);
    if (!reader_lists(reader) && ask != READER_ASKS_CELLS && ask != READER_ASKS_EXERCISE &&
        !offers(reader))
        return;
    doc_end_line(doc);
    lines->answer = doc->n_lines;
    if (reader_lists(reader)) {
        add_options(reader, ascii, lines);
    } else if (ask == READER_ASKS_CELLS) {
        struct reader_grid grid = reader_grid_of(reader);
        size_t first = doc->n_lines + 1;
        reader_add_cells(reader, doc, ascii, &lines->cursor_col);
        lines->cursor = first + reader_cell_position(reader) / grid.n_cols;
        lines->cursor_end = lines->cursor + 1;
    }
    add_guide(reader, ascii, doc);
}

static void add_hints(const struct reader *reader, struct reader_lines *lines)
{
    struct doc *doc = &lines->doc;
    if (reader->hints.n_lines == 0)
        return;
    doc_end_line(doc);
    size_t cols = reader_text_cols(reader), n = reader->hints.n_lines;
    put_fitted(doc, &reader->hints, 0, reader->news_line, cols);
    size_t first = doc->n_lines;
    put_fitted(doc, &reader->hints, reader->news_line, n, cols);
    if (reader->news == READER_NEW_HINT) {
        lines->news = first;
        lines->news_end = doc->n_lines;
    }
}

static void add_sayings(const struct reader *reader, struct reader_lines *lines)
{
    struct doc *doc = &lines->doc;
    if (reader->says.n_lines == 0)
        return;
    if (doc->n_lines > 0)
        doc_end_line(doc);
    size_t first = doc->n_lines;
    if (reader->given[0] != '\0')
        doc_wrap(doc, STYLE_QUIET, reader->given, reader_text_cols(reader), 2);
    put_fitted(doc, &reader->says, 0, reader->says.n_lines, reader_text_cols(reader));
    if (reader->news == READER_NEW_SAYS && !reader_is_over(reader)) {
        lines->news = first;
        lines->news_end = doc->n_lines;
    }
}

static void add_above(const struct reader *reader, bool ascii, struct reader_lines *lines)
{
    if (reader->above.n_lines == 0)
        return;
    put_fitted(&lines->doc, &reader->above, 0, reader->above.n_lines, reader_text_cols(reader));
    doc_line(&lines->doc, STYLE_QUIET, "%s", ascii ? "* * *" : "\xC2\xB7 \xC2\xB7 \xC2\xB7");
}

void reader_compose(const struct reader *reader, bool ascii, struct reader_lines *ret)
{
    *ret = (struct reader_lines){.question = 0};
    doc_init(&ret->doc);
    add_above(reader, ascii, ret);
    ret->page = ret->doc.n_lines;
    put_fitted(&ret->doc, &reader->page, 0, reader->page.n_lines, reader_text_cols(reader));
    ret->question = find_question(&ret->doc);
    ret->answer = ret->doc.n_lines;
    add_answer(reader, ascii, ret);
    ret->answer_end = ret->doc.n_lines;
    add_hints(reader, ret);
    add_sayings(reader, ret);
}
