/* What of the lesson pane is seen: its rows, and which line is at the top. */
#include "ui/panes/lesson/lesson_pane_internal.h"

#include <string.h>

#include "base/size.h"

enum {
    TEXT_MIN_COLS = 20,
    OUTPUT_COLS = 77, /* of what code prints, for which a pane gets wider if it can: as much as a
                       * screen of 80 columns has */
};

size_t lesson_pane_field_cols(const struct lesson_pane *pane)
{
    size_t taken = LESSON_PANE_MARGIN_COLS + strlen(lesson_pane_field_label(pane)) + 1;
    return pane->width_cols > taken ? pane->width_cols - taken : 1;
}

const struct field *lesson_pane_seen_field(const struct lesson_pane *pane, struct field *offered)
{
    struct text line = {0};
    if (pane->field.size > 0)
        return &pane->field;
    (void)lesson_pane_put_offered(pane, &line);
    field_set(offered, text_string(&line), line.size);
    offered->cursor = 0;
    text_release(&line);
    return offered;
}

int lesson_pane_foot_rows(const struct lesson_pane *pane)
{
    if (!lesson_pane_has_field(pane))
        return lesson_pane_is_over(pane) ? LESSON_PANE_FOOT_ROWS : find_is_open(&pane->find);
    struct field offered;
    size_t rows = field_rows(lesson_pane_seen_field(pane, &offered), lesson_pane_field_cols(pane));
    return LESSON_PANE_FOOT_ROWS - 1 + (int)size_min(rows, LESSON_PANE_FIELD_ROWS);
}

size_t lesson_pane_text_rows(const struct lesson_pane *pane)
{
    int rows = pane->rows - lesson_pane_foot_rows(pane);
    return rows > 0 ? (size_t)rows : 1;
}

size_t lesson_pane_line_cols(const struct lesson_pane *pane)
{
    size_t taken = LESSON_PANE_MARGIN_COLS + LESSON_PANE_EDGE_COLS;
    return pane->width_cols > TEXT_MIN_COLS + taken ? pane->width_cols - taken : TEXT_MIN_COLS;
}

size_t lesson_pane_text_cols(const struct lesson_pane *pane)
{
    return size_min(lesson_pane_line_cols(pane), LESSON_PANE_MAX_TEXT_COLS);
}

size_t lesson_pane_output_cols(const struct lesson_pane *pane)
{
    return size_max(lesson_pane_line_cols(pane), pane->is_wide ? OUTPUT_COLS : 0);
}

size_t lesson_pane_count_lines(const struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, false, &lines);
    size_t n = lines.doc.n_lines;
    doc_release(&lines.doc);
    return n;
}

void lesson_pane_scroll_to(struct lesson_pane *pane, size_t line)
{
    size_t n = lesson_pane_count_lines(pane), rows = lesson_pane_text_rows(pane);
    pane->scroll = size_min(line, n > rows ? n - rows : 0);
    pane->at_start = pane->at_news = false;
    pane->kept_scroll = pane->scroll;
    pane->kept_lines = n;
}

void lesson_pane_scroll(void *state, int lines)
{
    struct lesson_pane *pane = state;
    size_t up = lines < 0 ? (size_t)-lines : 0, down = lines > 0 ? (size_t)lines : 0;
    lesson_pane_scroll_to(pane, up < pane->scroll ? pane->scroll - up + down : down);
}

void lesson_pane_show_lines(struct lesson_pane *pane, size_t first, size_t end)
{
    size_t rows = lesson_pane_text_rows(pane), to = pane->scroll;
    if (end > to + rows)
        to = end - rows;
    lesson_pane_scroll_to(pane, first < to ? first : to);
}

bool lesson_pane_read_to_question(struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    size_t rows = lesson_pane_text_rows(pane), to = pane->scroll;
    lesson_pane_compose(pane, false, &lines);
    if (lines.answer_end > to + rows)
        to = size_min(lines.answer_end - rows, to + size_max(rows - 1, 1));
    doc_release(&lines.doc);
    if (to == pane->scroll)
        return false;
    lesson_pane_scroll_to(pane, to);
    return true;
}

void lesson_pane_show_start(struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, false, &lines);
    size_t n = lines.doc.n_lines, first = n > lesson_pane_text_rows(pane) ? lines.page : 0;
    doc_release(&lines.doc);
    lesson_pane_scroll_to(pane, first);
    pane->at_start = true;
}

void lesson_pane_refit(struct lesson_pane *pane)
{
    size_t kept = pane->kept_scroll, of = pane->kept_lines, n = lesson_pane_count_lines(pane);
    bool at_news = pane->at_news;
    if (pane->at_start) {
        lesson_pane_show_start(pane);
        return;
    }
    lesson_pane_scroll_to(pane, of == n || of == 0 ? kept : kept * n / of);
    if (at_news)
        lesson_pane_show_news(pane);
    pane->kept_scroll = kept; /* for the size it had, if that comes back */
    pane->kept_lines = of;
}

void lesson_pane_show_news(struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, false, &lines);
    size_t first = lines.news, end = lines.news_end, question = lines.question;
    doc_release(&lines.doc);
    if (end <= first) {
        lesson_pane_refit(pane);
        return;
    }
    lesson_pane_show_lines(pane, end - question <= lesson_pane_text_rows(pane) ? question : first,
                           end);
    pane->at_news = true;
}
