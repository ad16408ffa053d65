/* What is seen of the lesson pane, and clicks on it. See reader_parts.h. */
#include <string.h>

#include "ui/panes/lesson/lesson_pane_internal.h"
#include "ui/terminal/scroll_bar.h"

static const char field_label[] = "your answer: ";

/* The part of the pane that lines are seen in. */
static struct area lines_area(const struct reader *reader, struct area area)
{
    return area_part(area, 0, READER_MARGIN_COLS, area.rows - reader_foot_rows(reader),
                     area.cols - READER_MARGIN_COLS - READER_EDGE_COLS);
}

/* A sign before each line that is new. */
static void draw_news(struct area area, const struct reader_lines *lines, size_t scroll, bool ascii)
{
    for (size_t line = lines->news; line < lines->news_end; line++)
        if (line >= scroll && line - scroll < (size_t)area.rows)
            area_text(area, (int)(line - scroll), 0, look_of(STYLE_NOTE),
                      ascii ? "|" : "\xE2\x96\x8C");
}

static void draw_cell_cursor(const struct reader *reader, const struct reader_lines *lines,
                             struct area text, bool focused)
{
    struct reader_grid grid = reader_grid_of(reader);
    int row = (int)lines->cursor - (int)reader->scroll;
    size_t col = reader_cell_position(reader) % grid.n_cols - grid.first_col;
    if (row < 0 || row >= text.rows)
        return;
    area_mark(text, row, (int)(grid.label_cols + col * grid.slot_cols), (int)grid.cell_cols + 2,
              MARK_REVERSE);
    if (focused)
        area_cursor(text, row, (int)lines->cursor_col);
}

/* The last two rows: how the answer is typed, in a rule, and the field. */
static void draw_foot(const struct reader *reader, struct area area, bool focused, bool ascii)
{
    char guide[80];
    int row = area.rows - 1;
    struct canvas_look look = look_of(reader->waits ? STYLE_NOTE : STYLE_QUIET);
    area_rule_across(area_part(area, row - 1, 0, 1, area.cols), 0, ascii);
    area_format(area, row - 1, 1, look, " %s ", reader_guide(reader, guide));
    int col = area_text(area, row, READER_MARGIN_COLS, look_of(STYLE_TITLE), field_label);
    bool takes_keys = reader->types || reader->ask == READER_ASKS_NUMBER;
    field_draw(&reader->field, area_part(area, row, col, 1, area.cols - col - 1), "",
               focused && takes_keys);
}

static void draw_ways(const struct reader *reader, struct area area, bool ascii)
{
    char guide[80];
    int row = area.rows - 1;
    area_rule_across(area_part(area, row - 1, 0, 1, area.cols), 0, ascii);
    area_format(area, row, READER_MARGIN_COLS, look_of(STYLE_TITLE), "%s %s",
                ascii ? ">" : "\xE2\x96\xB8", reader_guide(reader, guide));
}

void reader_draw(const struct reader *reader, struct area area, bool focused, bool ascii)
{
    struct reader_lines lines;
    struct area text = lines_area(reader, area);
    reader_compose(reader, ascii, &lines);
    area_doc(text, &lines.doc, reader->scroll, 0);
    draw_news(area_part(area, 0, 0, text.rows, area.cols), &lines, reader->scroll, ascii);
    scroll_bar_draw(area_part(area, 0, 0, text.rows, area.cols), reader->scroll, lines.doc.n_lines,
                    ascii);
    if (reader_ask(reader) == READER_ASKS_CELLS)
        draw_cell_cursor(reader, &lines, text, focused);
    if (reader_has_field(reader))
        draw_foot(reader, area, focused, ascii);
    else if (reader_is_over(reader))
        draw_ways(reader, area, ascii);
    doc_release(&lines.doc);
}

/* The mouse. */

/* The option that a line of the pane belongs to; n_options for none. */
static size_t option_at(const struct reader *reader, size_t line, size_t answer)
{
    for (size_t i = 0; i < reader->n_options; i++) {
        size_t n = reader->options[i].text.n_lines;
        answer += n > 0 ? n : 1;
        if (line < answer)
            return i;
    }
    return reader->n_options;
}

static bool click_option(struct reader *reader, size_t line, size_t answer)
{
    size_t option = option_at(reader, line, answer);
    if (reader_ask(reader) == READER_ASKS_NOTHING || line < answer || option == reader->n_options)
        return false;
    reader_choose(reader, option);
    return true;
}

static bool click_cell(struct reader *reader, size_t line, size_t answer, int col)
{
    struct reader_grid grid = reader_grid_of(reader);
    size_t row = line - answer - 1; /* below the names of the columns */
    if (line <= answer || row >= grid.n_rows || col < (int)grid.label_cols)
        return false;
    size_t at = grid.first_col + ((size_t)col - grid.label_cols) / grid.slot_cols;
    size_t cell =
        at < grid.end_col ? reader_cell_at(reader, row * grid.n_cols + at) : READER_MAX_CELLS;
    if (cell == READER_MAX_CELLS)
        return false;
    reader_go_to_cell(reader, cell);
    return true;
}

bool reader_click(struct reader *reader, struct area area, int row, int col)
{
    struct reader_lines lines;
    struct area text = lines_area(reader, area);
    if (row >= text.rows) {
        reader->types = reader_has_field(reader);
        return reader->types;
    }
    reader_compose(reader, false, &lines);
    size_t answer = lines.answer, line = reader->scroll + (size_t)row;
    doc_release(&lines.doc);
    if (reader_lists(reader))
        return click_option(reader, line, answer);
    return reader_ask(reader) == READER_ASKS_CELLS &&
           click_cell(reader, line, answer, col - READER_MARGIN_COLS);
}
