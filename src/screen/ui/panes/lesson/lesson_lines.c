/* All lines of the pane: the page, the answer under way, hints, what was said. See
 * lesson_pane_internal.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "ui/panes/lesson/lesson_pane_internal.h"

/* ---- lines of other widths ---- */

static bool has_cells(const struct span *spans, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (spans[i].cell.tensor != 0)
            return true;
    return false;
}

/* Blanks, and the word after them. */
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

/* Whether a line of a Doc that was laid out in so many columns ends where it does for want of room
 * alone: the next line's first word did not fit. Rows of matrices, code and lists are no such. */
static bool is_broken(const struct doc *doc, size_t line, size_t cols)
{
    const struct span *spans, *next;
    size_t n = doc_line_spans(doc, line, &spans);
    size_t n_next = line + 1 < doc->n_lines ? doc_line_spans(doc, line + 1, &next) : 0;
    if (n == 0 || n_next == 0 || has_cells(spans, n) || has_cells(next, n_next))
        return false;
    const char *text = doc->text.bytes + next[0].begin;
    size_t size = token_size(text, next[0].end - next[0].begin);
    return text[0] != ' ' && doc->text.bytes[spans[0].begin] != ' ' &&
           doc_line_width(doc, line) + 1 + text_width(text, size) > cols;
}

/* Adds lines [first, end) that were laid out in from_cols columns, for cols columns: paragraphs are
 * wrapped anew. */
static void put_rewrapped(struct doc *out, const struct doc *from, size_t first, size_t end,
                          size_t from_cols, size_t cols)
{
    struct doc whole;
    doc_init(&whole);
    for (size_t line = first; line < end; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(from, line, &spans);
        for (size_t i = 0; i < n; i++)
            doc_put_span(&whole, from->text.bytes + spans[i].begin, spans[i].end - spans[i].begin,
                         spans[i]);
        if (line + 1 < end && from_cols != cols && is_broken(from, line, from_cols))
            doc_put(&whole, STYLE_PLAIN, " ", 1);
        else
            doc_end_line(&whole);
    }
    put_fitted(out, &whole, 0, whole.n_lines, cols);
    out->failed = out->failed || from->failed;
    doc_release(&whole);
}

/* ---- the page ---- */

/* Of the pane's Docs, the lines of the picture that is seen in its own pane: one of them has it. */
struct left_out {
    struct page_lines step, above, page, added;
};

static struct left_out find_left_out(const struct lesson_pane *pane)
{
    struct left_out out = {0};
    const struct player *player = pane->tutor->player;
    if (pane->picture_place == LESSON_PANE_PICTURE_IN_TEXT || lesson_pane_is_over(pane))
        return out;
    const struct session *typed = &player->learner.session;
    if (pane->is_typed) {
        if (pane->added_drawing == typed->n_drawings)
            out.added = pane->added_picture;
        return out;
    }
    size_t page = player->reference.picture_page; /* that drew it, from 1 */
    out.page = pane->page_picture;
    if (page <= player->page)
        out.step = pane->step_picture;
    if (page == player->page && /* the learner's may have other numbers */
        drawing_is_same(&typed->drawing, &player->reference.session.drawing))
        out.above = pane->above_picture;
    return out;
}

/* As put_rewrapped(), but a line says where the picture is seen, in place of its own lines. */
static void put_part(const struct lesson_pane *pane, struct doc *out, const struct doc *from,
                     struct page_lines part, struct page_lines left_out, size_t from_cols,
                     size_t cols)
{
    bool is_right = pane->picture_place == LESSON_PANE_PICTURE_RIGHT;
    bool has_picture =
        left_out.end > left_out.first && left_out.first >= part.first && left_out.end <= part.end;
    if (has_picture) {
        put_rewrapped(out, from, part.first, left_out.first, from_cols, cols);
        doc_line(out, STYLE_QUIET, "(the picture is %s)", is_right ? "on the right" : "below");
        part.first = left_out.end;
    }
    put_rewrapped(out, from, part.first, part.end, from_cols, cols);
}

/* The same for a whole Doc that is as wide as the pane. */
static void put_all(const struct lesson_pane *pane, struct doc *out, const struct doc *from,
                    struct page_lines left_out)
{
    size_t cols = lesson_pane_line_cols(pane);
    put_part(pane, out, from, (struct page_lines){0, from->n_lines}, left_out, cols, cols);
}

/* The widest row of numbers of a Doc, but for those lines. */
static size_t widest_row(const struct doc *doc, struct page_lines left_out)
{
    size_t widest = 0;
    for (size_t line = 0; line < doc->n_lines; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(doc, line, &spans);
        if (has_cells(spans, n) && (line < left_out.first || line >= left_out.end))
            widest = size_max(widest, doc_line_width(doc, line));
    }
    return widest;
}

size_t lesson_pane_widest_table(const struct lesson_pane *pane)
{
    struct left_out left_out = find_left_out(pane);
    size_t widest =
        size_max(widest_row(&pane->page, left_out.page), widest_row(&pane->above, left_out.above));
    widest = size_max(widest, widest_row(&pane->added, left_out.added));
    return size_max(widest, widest_row(&pane->says, (struct page_lines){0}));
}

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

/* ---- options ---- */

/* Whether the answer, which names options by their numbers, names this one; known once nothing is
 * asked any more. */
static bool is_answer(const struct lesson_pane *pane, size_t item)
{
    const struct player *player = pane->tutor->player;
    const char *at = player_page(player)->question->answer.text;
    if (player_is_asking(player) || at == NULL || at[strspn(at, "0123456789, []")] != '\0')
        return false;
    for (at += strcspn(at, "0123456789"); *at != '\0'; at += strcspn(at, "0123456789")) {
        char *end;
        if (strtoul(at, &end, 10) == item + 1)
            return true;
        at = end;
    }
    return false;
}

static const char *choice_mark(const struct lesson_pane *pane,
                               const struct lesson_pane_option *option, bool ascii)
{
    const struct player *player = pane->tutor->player;
    bool several = pane->ask == LESSON_PANE_ASKS_SEVERAL;
    if (option->tried && lesson_pane_ask(pane) != LESSON_PANE_ASKS_NOTHING)
        return ascii ? "x" : "\xE2\x9C\x97";
    if (is_answer(pane, option->item)) /* of a guess, it may be another than the chosen one */
        return !ascii ? "\xE2\x9C\x93" : several ? "x" : option->picked ? "*" : "v";
    if (!option->picked)
        return " ";
    bool is_right = lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING && player->state.right &&
                    question_is_judged(player_page(player)->question->kind);
    if (several || is_right)
        return ascii ? (several ? "x" : "*") : "\xE2\x9C\x93";
    return ascii ? "*" : "\xE2\x80\xA2";
}

/* "> 1 (*)", "> 1 [x]" or "> 1."; a step keeps the number that it has in the file. */
static void put_mark(const struct lesson_pane *pane, size_t i, bool ascii, struct doc *doc)
{
    const struct lesson_pane_option *option = &pane->options[i];
    bool here = lesson_pane_has_option_cursor(pane) && i == pane->option;
    bool several = pane->ask == LESSON_PANE_ASKS_SEVERAL;
    const char *cursor = ascii ? ">" : "\xE2\x96\xB8";
    if (pane->carries) /* an arrow up and down */
        cursor = ascii ? "^" : "\xE2\x86\x95";
    doc_add(doc, STYLE_TITLE, "%s ", here ? cursor : " ");
    if (pane->ask == LESSON_PANE_ASKS_ORDER) {
        doc_add(doc, i < pane->n_typed ? STYLE_TITLE : STYLE_NUMBER, "%zu.", option->item + 1);
        return;
    }
    doc_add(doc, STYLE_NUMBER, "%zu ", i + 1);
    doc_add(doc, STYLE_TITLE, "%c%s%c", several ? '[' : '(', choice_mark(pane, option, ascii),
            several ? ']' : ')');
}

/* One that was wrong is grey. */
static void put_option(const struct lesson_pane *pane, const struct lesson_pane_option *option,
                       struct doc *doc, const struct doc *mark)
{
    struct doc quiet;
    if (!option->tried || lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING) {
        doc_append_beside(doc, mark, &option->text, 1);
        return;
    }
    doc_init(&quiet);
    for (size_t line = 0; line < option->text.n_lines; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(&option->text, line, &spans);
        for (size_t i = 0; i < n; i++)
            doc_put(&quiet, STYLE_QUIET, option->text.text.bytes + spans[i].begin,
                    spans[i].end - spans[i].begin);
        doc_end_line(&quiet);
    }
    doc_append_beside(doc, mark, &quiet, 1);
    doc->failed = doc->failed || quiet.failed;
    doc_release(&quiet);
}

static void add_options(const struct lesson_pane *pane, bool ascii, struct lesson_pane_lines *lines)
{
    for (size_t i = 0; i < pane->n_options; i++) {
        struct doc mark;
        size_t first = lines->doc.n_lines;
        doc_init(&mark);
        put_mark(pane, i, ascii, &mark);
        put_option(pane, &pane->options[i], &lines->doc, &mark);
        doc_release(&mark);
        if (i == pane->option && lesson_pane_ask(pane) != LESSON_PANE_ASKS_NOTHING) {
            lines->cursor = first;
            lines->cursor_end = lines->doc.n_lines;
        }
    }
}

/* ---- how to answer ---- */

/* Each returns a text that stands, or one that it wrote to `text`. */

/* "your order: 4 2 _ _": what was typed, or the whole order as it stands. */
static const char *guide_order(const struct lesson_pane *pane, char text[LESSON_PANE_GUIDE_BYTES])
{
    size_t n = pane->n_options, size = 0;
    size_t n_given = pane->n_typed > 0 ? pane->n_typed : n;
    if (pane->carries) {
        snprintf(text, LESSON_PANE_GUIDE_BYTES, "arrows carry step %zu, Space puts it down",
                 pane->options[pane->option].item + 1);
        return text;
    }
    if (!pane->touched)
        return "type the numbers in order; Space picks a step up";
    for (size_t i = 0; i < n && size < LESSON_PANE_GUIDE_BYTES; i++) {
        const char *before = i == 0 ? "your order: " : " ";
        if (i < n_given)
            size += (size_t)snprintf(text + size, LESSON_PANE_GUIDE_BYTES - size, "%s%zu", before,
                                     pane->options[i].item + 1);
        else
            size += (size_t)snprintf(text + size, LESSON_PANE_GUIDE_BYTES - size, "%s_", before);
    }
    if (size < LESSON_PANE_GUIDE_BYTES)
        snprintf(text + size, LESSON_PANE_GUIDE_BYTES - size, "%s",
                 n_given == n ? "   Enter answer" : "   Backspace takes one back");
    return text;
}

static const char *guide_options(const struct lesson_pane *pane, char text[LESSON_PANE_GUIDE_BYTES])
{
    size_t n = pane->n_options < 9 ? pane->n_options : 9;
    bool picked = pane->touched && pane->ask != LESSON_PANE_ASKS_SEVERAL;
    for (size_t i = 0; i < pane->n_options; i++)
        picked = picked || pane->options[i].picked;
    const char *answer = picked ? "; Enter answer" : "";
    if (pane->ask == LESSON_PANE_ASKS_ONE)
        snprintf(text, LESSON_PANE_GUIDE_BYTES, "1-%zu or arrows choose%s", n, answer);
    else
        snprintf(text, LESSON_PANE_GUIDE_BYTES, "1-%zu or Space tick%s", n, answer);
    return text;
}

/* On a page that offers lines. */
static const char *guide_line(const struct lesson_pane *pane)
{
    if (pane->field.size > 0)
        return "Enter runs it   Tab completes   Esc clears";
    return player_is_offering(pane->tutor->player)
               ? "Enter runs the line in grey, Tab takes it; or type another"
               : "Enter goes on; or type another line to run";
}

static const char *guide_field(const struct lesson_pane *pane)
{
    static const char *const what[QUESTION_KINDS] = {
        [QUESTION_NUMBER] = "type a number, or 1/4, sqrt(2)",
        [QUESTION_PREDICT] = "type a guess",
        [QUESTION_FORMULA] = "type a formula",
        [QUESTION_CHANGE] = "type the change: X[0, 1] = 2",
        [QUESTION_REFLECTION] = "type your thoughts",
    };
    if (pane->field.size + KEY_BYTES >= FIELD_BYTES)
        return "that is all that fits";
    if (pane->is_left)
        return "any character types again";
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE)
        return guide_line(pane);
    const char *says = what[lesson_pane_question(pane)->kind];
    return pane->field.size > 0 || says == NULL ? "Enter answer   Esc clear" : says;
}

static const char *guide_cells(const struct lesson_pane *pane)
{
    if (pane->is_left)
        return "any character types again";
    return lesson_pane_cells_are_filled(pane) ? "Enter answer   Esc clear"
                                              : "numbers or formulas; Enter next cell";
}

/* What is pointed at, and drawn. */
static const char *guide_points(const struct lesson_pane *pane)
{
    if (pane->is_left)
        return "Enter goes back to the cells";
    return pane->ask == LESSON_PANE_ASKS_POINTS ? "arrows move, Space marks a cell, Enter answers"
           : pane->ask == LESSON_PANE_ASKS_MASK ? "arrows move, Space draws, Enter answers"
                                                : "arrows move, Enter points at the cell";
}

static const char *guide_changes(const struct lesson_pane *pane, char text[LESSON_PANE_GUIDE_BYTES])
{
    unsigned most = question_most_changes(lesson_pane_question(pane));
    if (pane->is_left)
        return "any character types again";
    if (pane->n_changes > 0)
        return "Enter answer   Backspace takes it back";
    if (most == 1)
        return "arrows move; type another number over one of them";
    snprintf(text, LESSON_PANE_GUIDE_BYTES, "arrows move; type other numbers over up to %u of them",
             most);
    return text;
}

/* After Enter or ^N, which give no answer here. */
static const char *guide_waiting(const struct lesson_pane *pane)
{
    switch (lesson_pane_ask(pane)) {
    case LESSON_PANE_ASKS_SEVERAL:
        return "tick what is right; ^T hint, ^S skip";
    case LESSON_PANE_ASKS_ONE:
        return "choose by number or arrows; Enter takes it; ^T hint, ^S skip";
    case LESSON_PANE_ASKS_ORDER:
        return "type the numbers in order; ^T hint, ^S skip";
    case LESSON_PANE_ASKS_MASK:
        return "to do: arrows move, Space draws; ^T hint, ^S skip";
    case LESSON_PANE_ASKS_POINTS:
        return "to do: arrows move, Space marks; ^T hint, ^S skip";
    case LESSON_PANE_ASKS_POINT:
        return "to do: arrows move, Enter points; ^T hint, ^S skip";
    default:
        return "no answer yet: ^T hint, ^S skip";
    }
}

/* After the last page: where the keys lead. */
static const char *guide_on(const struct lesson_pane *pane, char text[LESSON_PANE_GUIDE_BYTES])
{
    const struct player *player = pane->tutor->player;
    const struct course_entry *next = lesson_pane_next_lesson(pane);
    if (next == NULL)
        return player == NULL      ? "Enter: on with the course, Esc home"
               : player->is_review ? "Enter asks the next, Esc home"
                                   : "Esc goes home";
    snprintf(text, LESSON_PANE_GUIDE_BYTES, "Enter opens lesson %u, Esc home", next->number);
    return text;
}

const char *lesson_pane_guide(const struct lesson_pane *pane, char text[LESSON_PANE_GUIDE_BYTES])
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    if (lesson_pane_is_over(pane))
        return guide_on(pane, text);
    if (pane->waits && ask != LESSON_PANE_ASKS_NOTHING)
        return guide_waiting(pane);
    if (ask == LESSON_PANE_ASKS_EXERCISE)
        return lesson_pane_asked_exercise(pane) == NULL ? "it is solved: Enter goes on"
                                                        : "Enter goes to it, Escape comes back";
    if (ask == LESSON_PANE_ASKS_CELLS)
        return guide_cells(pane);
    if (lesson_pane_has_points(pane))
        return guide_points(pane);
    if (ask == LESSON_PANE_ASKS_CHANGE)
        return guide_changes(pane, text);
    if (lesson_pane_has_field(pane))
        return guide_field(pane);
    if (ask == LESSON_PANE_ASKS_ORDER)
        return guide_order(pane, text);
    return ask != LESSON_PANE_ASKS_NOTHING ? guide_options(pane, text) : "";
}

/* ---- the parts below the page ---- */

static void add_guide(const struct lesson_pane *pane, bool ascii, struct doc *doc)
{
    char text[LESSON_PANE_GUIDE_BYTES], line[LESSON_PANE_GUIDE_BYTES + 20];
    bool exercise = lesson_pane_ask(pane) == LESSON_PANE_ASKS_EXERCISE;
    const char *cursor = ascii ? "> " : "\xE2\x96\xB8 ", *guide = lesson_pane_guide(pane, text);
    if (lesson_pane_foot_rows(pane) > 0 || guide[0] == '\0')
        return;
    snprintf(line, sizeof line, "%s%s", exercise ? cursor : "", guide);
    doc_wrap(doc,
             pane->waits ? STYLE_NOTE
             : exercise  ? STYLE_TITLE
                         : STYLE_QUIET,
             line, lesson_pane_text_cols(pane), 0);
}

struct lesson_pane_grid lesson_pane_grid_of_answer(const struct lesson_pane *pane)
{
    if (lesson_pane_has_points(pane))
        return lesson_pane_point_grid(pane);
    return lesson_pane_ask(pane) == LESSON_PANE_ASKS_CHANGE ? lesson_pane_change_grid(pane)
                                                            : lesson_pane_grid_of(pane);
}

static void add_table(const struct lesson_pane *pane, bool ascii, struct lesson_pane_lines *lines)
{
    struct lesson_pane_grid grid = lesson_pane_grid_of_answer(pane);
    lines->cursor = lines->doc.n_lines + lesson_pane_grid_line(&grid);
    if (lesson_pane_has_points(pane))
        lesson_pane_add_points(pane, &lines->doc, ascii, &lines->cursor_col);
    else if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_CHANGE)
        lesson_pane_add_changes(pane, &lines->doc, ascii, &lines->cursor, &lines->cursor_col);
    else
        lesson_pane_add_cells(pane, &lines->doc, ascii, &lines->cursor_col);
    lines->cursor_end = lines->cursor + 1;
}

static void add_answer(const struct lesson_pane *pane, bool ascii, struct lesson_pane_lines *lines)
{
    struct doc *doc = &lines->doc;
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    if (!lesson_pane_has_options(pane) && !lesson_pane_has_table(pane) &&
        ask != LESSON_PANE_ASKS_EXERCISE)
        return;
    doc_end_line(doc);
    lines->answer = doc->n_lines;
    if (lesson_pane_has_options(pane)) {
        add_options(pane, ascii, lines);
    } else if (lesson_pane_has_table(pane)) {
        add_table(pane, ascii, lines);
    }
    add_guide(pane, ascii, doc);
}

static void add_added(const struct lesson_pane *pane, struct lesson_pane_lines *lines)
{
    struct doc *doc = &lines->doc;
    if (pane->added.n_lines == 0)
        return;
    doc_end_line(doc);
    size_t cols = lesson_pane_text_cols(pane), n = pane->added.n_lines;
    struct page_lines picture = find_left_out(pane).added;
    struct page_lines before = {0, pane->news_line}, news = {pane->news_line, n};
    put_part(pane, doc, &pane->added, before, picture, pane->says_cols, cols);
    size_t first = doc->n_lines;
    put_part(pane, doc, &pane->added, news, picture, pane->says_cols, cols);
    if (pane->news == LESSON_PANE_NEW_ADDED) {
        lines->news = first;
        lines->news_end = doc->n_lines;
    }
}

static void add_sayings(const struct lesson_pane *pane, struct lesson_pane_lines *lines)
{
    struct doc *doc = &lines->doc;
    if (pane->says.n_lines == 0)
        return;
    if (doc->n_lines > 0)
        doc_end_line(doc);
    size_t first = doc->n_lines;
    if (pane->given[0] != '\0')
        doc_wrap(doc, STYLE_QUIET, pane->given, lesson_pane_text_cols(pane), 2);
    put_rewrapped(doc, &pane->says, 0, pane->says.n_lines, pane->says_cols,
                  lesson_pane_text_cols(pane));
    if (pane->news == LESSON_PANE_NEW_SAYS && !lesson_pane_is_over(pane)) {
        lines->news = first;
        lines->news_end = doc->n_lines;
    }
}

/* The pages before, in grey; heatmaps keep their colours. */
static void add_step(const struct lesson_pane *pane, struct doc *out)
{
    struct doc grey;
    doc_init(&grey);
    for (size_t line = 0; line < pane->step.n_lines; line++) {
        const struct span *spans;
        size_t n = doc_line_spans(&pane->step, line, &spans);
        for (size_t i = 0; i < n; i++) {
            struct span span = spans[i];
            span.style = STYLE_QUIET;
            doc_put_span(&grey, pane->step.text.bytes + span.begin, span.end - span.begin, span);
        }
        doc_end_line(&grey);
    }
    put_all(pane, out, &grey, find_left_out(pane).step);
    out->failed = out->failed || pane->step.failed;
    doc_release(&grey);
}

static void add_above(const struct lesson_pane *pane, bool ascii, struct lesson_pane_lines *lines)
{
    if (pane->above.n_lines == 0)
        return;
    put_all(pane, &lines->doc, &pane->above, find_left_out(pane).above);
    doc_line(&lines->doc, STYLE_QUIET, "%s", ascii ? "* * *" : "\xC2\xB7 \xC2\xB7 \xC2\xB7");
}

void lesson_pane_compose(const struct lesson_pane *pane, bool ascii, struct lesson_pane_lines *ret)
{
    *ret = (struct lesson_pane_lines){.question = 0};
    doc_init(&ret->doc);
    add_step(pane, &ret->doc);
    ret->above = ret->doc.n_lines;
    add_above(pane, ascii, ret);
    ret->page = ret->doc.n_lines;
    put_all(pane, &ret->doc, &pane->page, find_left_out(pane).page);
    ret->question = find_question(&ret->doc);
    ret->answer = ret->doc.n_lines;
    add_answer(pane, ascii, ret);
    ret->answer_end = ret->doc.n_lines;
    add_added(pane, ret);
    add_sayings(pane, ret);
}
