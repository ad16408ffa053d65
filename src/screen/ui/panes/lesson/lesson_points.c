/* A matrix in which one points at cells, and a mask that one draws. See lesson_pane_internal.h. */
#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "tensor/tensor.h"
#include "ui/panes/lesson/lesson_pane_internal.h"

static const struct node *matrix_of(const struct lesson_pane *pane)
{
    return pane->tutor->player->cells.answer;
}

static size_t count_cells(const struct lesson_pane *pane)
{
    return size_min(tensor_size(&matrix_of(pane)->value), QUESTION_MAX_POINTS);
}

bool lesson_pane_has_points(const struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    return ask == LESSON_PANE_ASKS_POINT || ask == LESSON_PANE_ASKS_POINTS ||
           ask == LESSON_PANE_ASKS_MASK;
}

void lesson_pane_start_points(struct lesson_pane *pane)
{
    memset(pane->marked, 0, sizeof pane->marked);
    memset(pane->missed, 0, sizeof pane->missed);
    pane->point = 0;
}

/* ---- the cursor ---- */

/* In reading order; stays where there is no other cell. */
static void step(struct lesson_pane *pane, int by)
{
    size_t to = pane->point + (size_t)by;
    if (to < count_cells(pane))
        pane->point = to;
    pane->touched = true;
    lesson_pane_show_cursor(pane);
}

/* Within the row; its ends hold the cursor. */
static void step_in_row(struct lesson_pane *pane, int key)
{
    size_t n_cols = lesson_pane_point_grid(pane).n_cols, col = pane->point % n_cols;
    size_t last = size_min(n_cols - 1, count_cells(pane) - 1 - (pane->point - col));
    size_t to = key == KEYCODE_HOME   ? 0
                : key == KEYCODE_END  ? last
                : key == KEYCODE_LEFT ? col - (col > 0)
                                      : size_min(col + 1, last);
    pane->point = pane->point - col + to;
    pane->touched = true;
    lesson_pane_show_cursor(pane);
}

bool lesson_pane_step_point_row(struct lesson_pane *pane, int by)
{
    size_t n_cols = lesson_pane_point_grid(pane).n_cols;
    size_t to = by < 0 ? pane->point - n_cols : pane->point + n_cols;
    if (to >= count_cells(pane))
        return false;
    pane->point = to;
    return true;
}

/* ---- marks ---- */

static void set_mark(struct lesson_pane *pane, bool to)
{
    pane->touched = true;
    if (pane->marked[pane->point] != to)
        lesson_pane_forget_count(pane);
    pane->marked[pane->point] = to;
}

static bool has_marks(const struct lesson_pane *pane)
{
    for (size_t i = 0; i < count_cells(pane); i++)
        if (pane->marked[i])
            return true;
    return false;
}

bool lesson_pane_clear_points(struct lesson_pane *pane)
{
    if (!has_marks(pane))
        return false;
    lesson_pane_forget_count(pane);
    memcpy(pane->cleared.marked, pane->marked, sizeof pane->marked);
    memset(pane->marked, 0, sizeof pane->marked);
    return true;
}

static void bring_marks_back(struct lesson_pane *pane)
{
    lesson_pane_forget_count(pane);
    for (size_t i = 0; i < count_cells(pane); i++)
        pane->marked[i] = pane->marked[i] || pane->cleared.marked[i];
}

static void toggle(struct lesson_pane *pane)
{
    if (pane->ask == LESSON_PANE_ASKS_POINT)
        lesson_pane_notice(pane,
                           "one cell is asked for: Enter answers with the one under the cursor");
    else
        set_mark(pane, !pane->marked[pane->point]);
}

void lesson_pane_click_point(struct lesson_pane *pane, size_t position)
{
    pane->waits = false;
    pane->touched = true;
    pane->notice[0] = '\0';
    pane->point = position;
    if (pane->ask != LESSON_PANE_ASKS_POINT)
        toggle(pane);
}

/* ---- keys ---- */

bool lesson_pane_point_key(struct lesson_pane *pane, int key)
{
    bool is_digit = pane->ask == LESSON_PANE_ASKS_MASK && (key == '0' || key == '1');
    int by = lesson_pane_step_of_key(key, NULL);
    if (key == KEYCODE_LEFT || key == KEYCODE_RIGHT || key == KEYCODE_HOME || key == KEYCODE_END) {
        step_in_row(pane, key);
    } else if (by != 0) {
        step(pane, by);
    } else if (is_digit) {
        set_mark(pane, key == '1');
        step(pane, 1);
    } else if (key == ' ' && lesson_pane_sees_cursor(pane)) {
        toggle(pane);
    } else if (key == ' ') {
        lesson_pane_show_cursor(pane);
    } else if (key == 'Y' - '@') {
        bring_marks_back(pane);
    } else if (key == 'U' - '@') {
        (void)lesson_pane_clear_points(pane);
    } else {
        return false;
    }
    return true;
}

/* ---- giving the answer ---- */

/* What was pointed at, above what is said of it: "[sun, cat]". */
static void note_given(struct lesson_pane *pane)
{
    struct text text = {0};
    node_write_place(matrix_of(pane), pane->point, &text);
    if (!text.failed && text.size < sizeof pane->given)
        memcpy(pane->given, text_string(&text), text.size + 1);
    text_release(&text);
}

static void give_point(struct lesson_pane *pane)
{
    struct text line = {0};
    if (pane->missed[pane->point]) {
        lesson_pane_say_tried(pane, "another cell");
        return;
    }
    text_put(&line, "answer ");
    lesson_pane_put_index(matrix_of(pane), pane->point, &line);
    note_given(pane);
    lesson_pane_give_line(pane, &line, "another cell");
}

static void give_marked(struct lesson_pane *pane)
{
    struct text line = {0};
    size_t n = 0;
    text_put(&line, "answer ");
    for (size_t i = 0; i < count_cells(pane); i++)
        if (pane->marked[i]) {
            text_put(&line, n++ > 0 ? "; " : "");
            lesson_pane_put_index(matrix_of(pane), i, &line);
        }
    if (n > 0) {
        lesson_pane_give_line(pane, &line, "mark others");
        return;
    }
    text_release(&line);
    lesson_pane_notice(pane, "no cell is marked: Space marks the one under the cursor");
}

/* A mask in which nothing is marked, and which is not the one that is asked for. */
static bool is_untouched_mask(const struct lesson_pane *pane)
{
    bool any_asked = false;
    for (size_t i = 0; i < count_cells(pane); i++)
        any_asked = any_asked || tensor_at_position(&matrix_of(pane)->value, i) != 0;
    return any_asked && !has_marks(pane);
}

/* "answer 100 110 111" */
static void give_mask(struct lesson_pane *pane)
{
    struct text line = {0};
    size_t n_cols = lesson_pane_point_grid(pane).n_cols;
    if (is_untouched_mask(pane)) {
        lesson_pane_notice(pane, "nothing is marked yet: Space marks the cell under the cursor");
        return;
    }
    text_put(&line, "answer ");
    for (size_t i = 0; i < count_cells(pane); i++) {
        text_put(&line, i > 0 && i % n_cols == 0 ? " " : "");
        text_char(&line, pane->marked[i] ? '1' : '0');
    }
    lesson_pane_give_line(pane, &line, "change a cell");
}

void lesson_pane_give_points(struct lesson_pane *pane)
{
    if (pane->ask == LESSON_PANE_ASKS_POINT)
        give_point(pane);
    else if (pane->ask == LESSON_PANE_ASKS_POINTS)
        give_marked(pane);
    else
        give_mask(pane);
}

/* Who is told which cell of a mask is the first that is wrong finds the cursor there. */
static void go_to_first_wrong(struct lesson_pane *pane)
{
    for (size_t i = 0; i < count_cells(pane); i++)
        if (pane->marked[i] != (tensor_at_position(&matrix_of(pane)->value, i) != 0)) {
            pane->point = i;
            return;
        }
}

void lesson_pane_judge_points(struct lesson_pane *pane, bool counted)
{
    if (counted && pane->ask == LESSON_PANE_ASKS_POINT)
        pane->missed[pane->point] = true;
    if (counted && pane->ask == LESSON_PANE_ASKS_MASK && pane->tutor->player->state.n_wrong > 1)
        go_to_first_wrong(pane);
}

/* ---- drawing ---- */

static size_t widest_number(const struct lesson_pane *pane)
{
    char text[NUMBER_TEXT];
    size_t widest = 1;
    for (size_t i = 0; i < count_cells(pane); i++)
        widest = size_max(widest, strlen(lesson_pane_shown_number(pane, matrix_of(pane), i, text)));
    return widest;
}

/* The cells are as wide as the names above them, where there is room. */
struct lesson_pane_grid lesson_pane_point_grid(const struct lesson_pane *pane)
{
    const struct node *matrix = matrix_of(pane);
    bool is_mask = pane->ask == LESSON_PANE_ASKS_MASK;
    size_t least = is_mask ? 1 : widest_number(pane);
    size_t most = size_min(lesson_pane_widest_name(matrix, matrix->value.n_axes - 1),
                           LESSON_PANE_CELL_MAX_COLS);
    struct lesson_pane_grid grid = lesson_pane_fit_grid(pane, matrix, least, most, pane->point);
    grid.names_cursor = !pane->is_left;
    return grid;
}

static const char *mask_sign(bool is_true, bool ascii)
{
    if (ascii)
        return is_true ? "#" : ".";
    return is_true ? "\xE2\x96\xA0" : "\xC2\xB7";
}

static void put_slot(const struct lesson_pane *pane, const struct lesson_pane_grid *grid,
                     size_t position, struct doc *doc, bool ascii)
{
    char text[NUMBER_TEXT];
    int cols = (int)grid->cell_cols;
    bool marked = pane->marked[position], missed = pane->missed[position];
    if (pane->ask == LESSON_PANE_ASKS_MASK) {
        doc_add(doc, marked ? STYLE_NUMBER : STYLE_QUIET, " %s%*s ", mask_sign(marked, ascii),
                cols - 1, "");
        return;
    }
    doc_add(doc, STYLE_TITLE, "%s", marked ? "[" : " ");
    doc_add(doc, missed ? STYLE_QUIET : STYLE_NUMBER, "%-*s", cols,
            lesson_pane_shown_number(pane, grid->matrix, position, text));
    if (missed)
        doc_add(doc, STYLE_BAD, "%s", ascii ? "x" : "\xE2\x9C\x97");
    else
        doc_add(doc, STYLE_TITLE, "%s", marked ? "]" : " ");
}

void lesson_pane_add_points(const struct lesson_pane *pane, struct doc *doc, bool ascii,
                            size_t *ret_col)
{
    struct lesson_pane_grid grid = lesson_pane_point_grid(pane);
    lesson_pane_add_grid(&grid, put_slot, pane, doc, ascii);
    *ret_col = lesson_pane_grid_col(&grid) + 1;
}
