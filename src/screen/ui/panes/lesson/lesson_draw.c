/* What is seen of the lesson pane, and clicks on it. See lesson_pane_internal.h. */
#include <string.h>

#include "base/size.h"
#include "ui/panes/lesson/lesson_pane_internal.h"
#include "ui/terminal/choices.h"
#include "ui/terminal/scroll.h"

/* The part of the pane that lines are seen in. */
static struct area lines_area(const struct lesson_pane *pane, struct area area)
{
    return area_part(area, 0, LESSON_PANE_MARGIN_COLS, area.rows - lesson_pane_foot_rows(pane),
                     area.cols - LESSON_PANE_MARGIN_COLS - LESSON_PANE_EDGE_COLS);
}

/* A sign before each line that is new. */
static void draw_news(struct area area, const struct lesson_pane_lines *lines, size_t scroll,
                      bool ascii)
{
    for (size_t line = lines->news; line < lines->news_end; line++)
        if (line >= scroll && line - scroll < (size_t)area.rows)
            area_text(area, (int)(line - scroll), 0, look_of(STYLE_NOTE),
                      ascii ? "|" : "\xE2\x96\x8C");
}

static void draw_cell_cursor(const struct lesson_pane *pane, const struct lesson_pane_lines *lines,
                             struct area text, size_t scroll, bool focused)
{
    struct lesson_pane_grid grid = lesson_pane_grid_of_answer(pane);
    int row = (int)lines->cursor - (int)scroll;
    if (row < 0 || row >= text.rows)
        return;
    if (pane->is_left)
        return;
    area_mark(text, row, (int)lesson_pane_grid_col(&grid),
              (int)grid.cell_cols + LESSON_PANE_BRACKETS_COLS, MARK_REVERSE);
    if (focused)
        area_cursor(text, row, (int)lines->cursor_col);
}

/* The last two rows: how the answer is typed, in a rule, and the field. */
static void draw_foot(const struct lesson_pane *pane, struct area area, bool focused, bool ascii)
{
    char guide[LESSON_PANE_GUIDE_BYTES];
    int rows = lesson_pane_foot_rows(pane) - 1, row = area.rows - rows;
    struct canvas_look look = look_of(pane->waits ? STYLE_NOTE : STYLE_QUIET);
    area_rule_across(area_part(area, row - 1, 0, 1, area.cols), 0, ascii);
    area_format(area, row - 1, 1, look, " %s ", lesson_pane_guide(pane, guide));
    int col = area_text(area, row, LESSON_PANE_MARGIN_COLS, look_of(STYLE_TITLE),
                        lesson_pane_field_label(pane));
    struct field offered;
    const struct field *field = lesson_pane_seen_field(pane, &offered);
    field_draw_wrapped(field, area_part(area, row, col, rows, area.cols - col - 1),
                       field == &offered ? STYLE_QUIET : STYLE_PLAIN, pane->slip, pane->slip_end,
                       focused && !pane->is_left);
}

static void draw_ways(const struct lesson_pane *pane, struct area area, bool ascii)
{
    char guide[LESSON_PANE_GUIDE_BYTES];
    int row = area.rows - 1;
    area_rule_across(area_part(area, row - 1, 0, 1, area.cols), 0, ascii);
    area_format(area, row, LESSON_PANE_MARGIN_COLS, look_of(STYLE_TITLE), "%s %s",
                ascii ? ">" : "\xE2\x96\xB8", lesson_pane_guide(pane, guide));
}

/* What Tab found: over the last lines, or below the field where it stands under them. */
static void draw_choices(const struct lesson_pane *pane, struct area text, bool at_top)
{
    int rows = pane->choices.n > 0 ? choices_rows(&pane->choices, text.rows, text.cols) : 0;
    struct area area = area_part(text, at_top ? 0 : text.rows - rows, 0, rows, text.cols);
    area_fill(area, look_of(STYLE_PLAIN));
    if (rows > 0)
        choices_draw(&pane->choices, area);
}

/* ---- the notice ---- */

static void wrap_notice(const struct lesson_pane *pane, int cols, struct doc *ret)
{
    doc_init(ret);
    if (pane->notice[0] != '\0')
        doc_wrap(ret, STYLE_NOTE, pane->notice, cols > 0 ? (size_t)cols : 1, 0);
}

/* The row where the field begins: below the lines, with a row between, if the notice has room below
 * the field, after another row; else at the bottom. */
static int foot_row(const struct lesson_pane *pane, size_t n_lines, struct area area)
{
    struct doc notice;
    int bottom = area.rows - lesson_pane_foot_rows(pane);
    size_t used = n_lines > pane->scroll ? n_lines - pane->scroll + 1 : 0;
    wrap_notice(pane, lines_area(pane, area).cols, &notice);
    size_t taken = used + 1 + size_max(notice.n_lines, 1);
    doc_release(&notice);
    return taken <= (size_t)(bottom > 0 ? bottom : 0) ? (int)used : bottom;
}

/* Whether rows below the field are free. */
static bool has_room_below(const struct lesson_pane *pane, size_t n_lines, struct area area)
{
    int foot_rows = lesson_pane_foot_rows(pane);
    return foot_rows > 0 && foot_row(pane, n_lines, area) + foot_rows < area.rows;
}

/* Where the lines are seen, and in *scroll which one is the first. A notice covers none of them:
 * without room below the field it takes rows from the text, which moves up if it has to. */
static struct area seen_area(const struct lesson_pane *pane, size_t n_lines, struct area area,
                             size_t *scroll)
{
    struct doc notice;
    struct area text = lines_area(pane, area);
    *scroll = pane->scroll;
    if (has_room_below(pane, n_lines, area))
        return text;
    wrap_notice(pane, text.cols, &notice);
    size_t rows = size_max(text.rows > 0 ? (size_t)text.rows : 0, 1);
    size_t left = rows - size_min(notice.n_lines, rows - 1);
    size_t end = size_min(n_lines, pane->scroll + rows);
    doc_release(&notice);
    *scroll = size_max(pane->scroll, end > left ? end - left : 0);
    return area_part(text, 0, 0, (int)left, text.cols);
}

/* It stays until the next key. */
static void draw_notice(const struct lesson_pane *pane, struct area area)
{
    struct doc doc;
    wrap_notice(pane, area.cols, &doc);
    struct area lines =
        area_part(area, 0, 0, (int)size_min(doc.n_lines, CANVAS_MAX_ROWS), area.cols);
    area_fill(lines, look_of(STYLE_NOTE));
    area_doc(lines, &doc, 0, 0);
    doc_release(&doc);
}

void lesson_pane_draw(const void *state, struct area area, bool focused, bool ascii)
{
    const struct lesson_pane *pane = state;
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, ascii, &lines);
    size_t scroll, n_lines = lines.doc.n_lines;
    struct area text = seen_area(pane, n_lines, area, &scroll), all = lines_area(pane, area);
    area_doc(text, &lines.doc, scroll, 0);
    draw_news(area_part(area, 0, 0, text.rows, area.cols), &lines, scroll, ascii);
    scroll_bar_draw(area_part(area, 0, 0, text.rows, area.cols), scroll, n_lines, ascii);
    if (lesson_pane_has_table(pane))
        draw_cell_cursor(pane, &lines, text, scroll, focused);
    int foot = foot_row(pane, n_lines, area), foot_rows = lesson_pane_foot_rows(pane);
    struct area upper = area_part(area, 0, 0, foot + foot_rows, area.cols);
    bool has_room = has_room_below(pane, n_lines, area);
    struct area below = area_part(area, upper.rows + 1, LESSON_PANE_MARGIN_COLS,
                                  area.rows - upper.rows - 1, all.cols);
    draw_choices(pane, has_room ? below : all, has_room);
    draw_notice(pane,
                has_room ? below : area_part(all, text.rows, 0, all.rows - text.rows, all.cols));
    if (lesson_pane_has_field(pane))
        draw_foot(pane, upper, focused, ascii);
    else if (lesson_pane_is_over(pane))
        draw_ways(pane, upper, ascii);
    lesson_pane_draw_find(pane, &lines.doc, area, text, focused);
    doc_release(&lines.doc);
}

/* ---- the mouse ---- */

static bool click_option(struct lesson_pane *pane, size_t line, size_t answer)
{
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING || line < answer)
        return false;
    for (size_t i = 0, end = answer; i < pane->n_options; i++) {
        end += size_max(pane->options[i].text.n_lines, 1);
        if (line < end) {
            lesson_pane_choose_option(pane, i);
            return true;
        }
    }
    return false;
}

/* line: below the first of the answer. */
static bool click_table(struct lesson_pane *pane, size_t line, int col)
{
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_CHANGE)
        return lesson_pane_click_change(pane, line, col);
    struct lesson_pane_grid grid = lesson_pane_grid_of_answer(pane);
    size_t position = lesson_pane_grid_find(&grid, line, col);
    if (position == SIZE_MAX)
        return false;
    if (lesson_pane_has_points(pane)) {
        lesson_pane_click_point(pane, position);
        return true;
    }
    size_t cell = lesson_pane_cell_at(pane, position);
    if (cell < LESSON_PANE_MAX_CELLS)
        lesson_pane_go_to_cell(pane, cell);
    return cell < LESSON_PANE_MAX_CELLS;
}

bool lesson_pane_click(void *state, struct area area, int row, int col, bool is_double)
{
    struct lesson_pane *pane = state;
    (void)is_double;
    pane->is_left = false;
    struct lesson_pane_lines lines;
    size_t scroll;
    lesson_pane_compose(pane, false, &lines);
    struct area text = seen_area(pane, lines.doc.n_lines, area, &scroll);
    size_t answer = lines.answer, line = scroll + (size_t)row;
    int foot = foot_row(pane, lines.doc.n_lines, area);
    doc_release(&lines.doc);
    if (row >= text.rows || (lesson_pane_has_field(pane) && row >= foot)) {
        return lesson_pane_has_field(pane);
    }
    if (lesson_pane_has_options(pane))
        return click_option(pane, line, answer);
    return lesson_pane_has_table(pane) && line >= answer &&
           click_table(pane, line - answer, col - LESSON_PANE_MARGIN_COLS);
}
