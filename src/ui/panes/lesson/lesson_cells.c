/* A matrix, answered cell by cell and given whole. See lesson_pane_internal.h. */
#include <math.h>
#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "show/number.h"
#include "tensor/tensor.h"
#include "ui/panes/lesson/lesson_pane_internal.h"

static const struct question_cells *cells_of(const struct lesson_pane *pane)
{
    return &pane->tutor->player->cells;
}

/* Cells that were filled at the prompt are shown as they are. */
static bool is_open(const struct lesson_pane *pane, size_t cell)
{
    const struct player *player = pane->tutor->player;
    return cell < player->cells.n && cell < LESSON_PANE_MAX_CELLS &&
           (player->state.cells >> cell & 1) == 0;
}

/* The cell under the cursor, or the next one that is open. */
static size_t cell_here(const struct lesson_pane *pane)
{
    size_t cell = pane->cell;
    for (size_t i = 0; i < LESSON_PANE_MAX_CELLS && !is_open(pane, cell); i++)
        cell = (cell + 1) % LESSON_PANE_MAX_CELLS;
    return cell;
}

size_t lesson_pane_cell_at(const struct lesson_pane *pane, size_t position)
{
    const struct question_cells *cells = cells_of(pane);
    for (size_t i = 0; i < cells->n && i < LESSON_PANE_MAX_CELLS; i++)
        if (cells->positions[i] == position && is_open(pane, i))
            return i;
    return LESSON_PANE_MAX_CELLS;
}

/* Of the cell under the cursor. */
static size_t position_here(const struct lesson_pane *pane)
{
    return cells_of(pane)->positions[cell_here(pane)];
}

/* ---- the size of the matrix ---- */

/* The columns that the numbers need that are shown as they are. */
static size_t widest_number(const struct lesson_pane *pane)
{
    char text[NUMBER_TEXT];
    size_t widest = LESSON_PANE_CELL_MIN_COLS;
    const struct node *answer = cells_of(pane)->answer;
    size_t size = tensor_size(&answer->value);
    for (size_t i = 0; i < size; i++)
        if (lesson_pane_cell_at(pane, i) == LESSON_PANE_MAX_CELLS)
            widest = size_max(widest, strlen(lesson_pane_shown_number(pane, answer, i, text)));
    return widest;
}

struct lesson_pane_grid lesson_pane_grid_of(const struct lesson_pane *pane)
{
    struct lesson_pane_grid grid =
        lesson_pane_fit_grid(pane, cells_of(pane)->answer, widest_number(pane),
                             LESSON_PANE_CELL_MAX_COLS, position_here(pane));
    grid.names_cursor = !pane->is_left;
    return grid;
}

/* ---- the cursor ---- */

void lesson_pane_go_to_cell(struct lesson_pane *pane, size_t cell)
{
    pane->cell = cell;
    pane->edits = false;
    struct field *field = &pane->cells[cell].field;
    field->cursor = field->size;
}

void lesson_pane_start_cells(struct lesson_pane *pane)
{
    memset(pane->cells, 0, sizeof pane->cells);
    pane->cell = 0;
    lesson_pane_go_to_cell(pane, cell_here(pane));
}

/* Goes to the next open cell in reading order, or the one before. False where there is no other. */
static bool step_cell(struct lesson_pane *pane, int by)
{
    size_t size = tensor_size(&cells_of(pane)->answer->value);
    for (size_t at = position_here(pane) + (size_t)by; at < size; at += (size_t)by) {
        size_t cell = lesson_pane_cell_at(pane, at);
        if (cell < LESSON_PANE_MAX_CELLS) {
            lesson_pane_go_to_cell(pane, cell);
            return true;
        }
    }
    return false;
}

/* The open cell of a row that is nearest to a column, or LESSON_PANE_MAX_CELLS. */
static size_t nearest_in_row(const struct lesson_pane *pane, size_t row, size_t col, size_t n_cols)
{
    for (size_t away = 0; away < n_cols; away++) {
        size_t left = col - away, right = col + away;
        size_t cell =
            left < n_cols ? lesson_pane_cell_at(pane, row * n_cols + left) : LESSON_PANE_MAX_CELLS;
        if (cell == LESSON_PANE_MAX_CELLS && right < n_cols)
            cell = lesson_pane_cell_at(pane, row * n_cols + right);
        if (cell != LESSON_PANE_MAX_CELLS)
            return cell;
    }
    return LESSON_PANE_MAX_CELLS;
}

bool lesson_pane_step_row(struct lesson_pane *pane, int by)
{
    struct lesson_pane_grid grid = lesson_pane_grid_of(pane);
    size_t position = position_here(pane), col = position % grid.n_cols;
    for (size_t row = position / grid.n_cols + (size_t)by; row < grid.n_rows; row += (size_t)by) {
        size_t cell = nearest_in_row(pane, row, col, grid.n_cols);
        if (cell != LESSON_PANE_MAX_CELLS) {
            lesson_pane_go_to_cell(pane, cell);
            return true;
        }
    }
    return false;
}

/* ---- typing ---- */

/* The cell is not as it was judged, and neither is how many are wrong. */
static void note_edit(struct lesson_pane *pane, struct lesson_pane_cell *cell)
{
    cell->judged = LESSON_PANE_CELL_OPEN;
    lesson_pane_forget_count(pane);
}

/* What is typed takes the place of what stood there; Backspace mends that. */
static bool begin_edit(struct lesson_pane *pane, struct lesson_pane_cell *cell, int key)
{
    struct field field = {.size = 0};
    if (key == KEYCODE_BACKSPACE || key == KEYCODE_DELETE)
        field = cell->field;
    if (key == KEYCODE_DELETE)
        field.cursor = 0;
    if (key == ' ' || lesson_pane_edit(pane, &field, key) != FIELD_CHANGED)
        return key == ' ';
    if (key == KEYCODE_DELETE)
        field = (struct field){.size = 0};
    pane->edits = true;
    cell->field = field;
    note_edit(pane, cell);
    return true;
}

bool lesson_pane_clear_cell(struct lesson_pane *pane)
{
    struct lesson_pane_cell *cell = &pane->cells[cell_here(pane)];
    pane->edits = false;
    if (!lesson_pane_clear_field(pane, &cell->field))
        return false;
    note_edit(pane, cell);
    return true;
}

bool lesson_pane_cell_key(struct lesson_pane *pane, int key)
{
    size_t at = cell_here(pane);
    struct lesson_pane_cell *cell = &pane->cells[at];
    pane->cell = at;
    int by = lesson_pane_step_of_key(key, pane->edits ? &cell->field : NULL);
    if (by != 0) {
        if (step_cell(pane, by))
            lesson_pane_show_cursor(pane);
        return true;
    }
    if (key == 'U' - '@') {
        (void)lesson_pane_clear_cell(pane);
        return true;
    }
    if (!pane->edits)
        return begin_edit(pane, cell, key);
    enum field_change change = lesson_pane_edit(pane, &cell->field, key);
    if (change == FIELD_CHANGED)
        note_edit(pane, cell);
    return change != FIELD_IGNORED;
}

/* ---- giving the answer ---- */

/* One for each axis whose numbers begin, or end, at a position. */
static void put_brackets(const struct tensor *x, size_t position, char bracket, struct text *line)
{
    size_t block = 1;
    for (unsigned axis = x->n_axes; axis-- > 0;) {
        block *= x->shape[axis];
        if (position % block == 0)
            text_char(line, bracket);
    }
}

static void put_number(float x, struct text *line)
{
    if (isnan(x))
        text_put(line, "nan");
    else if (isinf(x))
        text_put(line, x < 0 ? "-inf" : "inf");
    else
        text_format(line, "%.9g", (double)x);
}

/* "answer [[1, 0.5], [0, 2 / 3]]", up to the cell `end`, or all of it. */
static void put_answer(const struct lesson_pane *pane, size_t end, struct text *line)
{
    const struct tensor *x = &cells_of(pane)->answer->value;
    size_t size = tensor_size(x);
    text_put(line, "answer ");
    for (size_t i = 0; i < size; i++) {
        size_t cell = lesson_pane_cell_at(pane, i);
        put_brackets(x, i, '[', line);
        if (cell < LESSON_PANE_MAX_CELLS && cell == end)
            return;
        if (cell < LESSON_PANE_MAX_CELLS)
            question_write_number(lesson_pane_question(pane), pane->cells[cell].field.text, line);
        else
            put_number(tensor_at_position(x, i), line);
        put_brackets(x, i + 1, ']', line);
        text_put(line, i + 1 < size ? ", " : "");
    }
}

/* Whether a cell waits to be typed into: it is empty; or, with `wrong`, it was judged wrong, or to
 * have too few digits, and stands as it was. */
static bool waits(const struct lesson_pane *pane, size_t cell, bool wrong)
{
    if (cell >= LESSON_PANE_MAX_CELLS)
        return false;
    const struct lesson_pane_cell *it = &pane->cells[cell];
    return wrong ? it->judged == LESSON_PANE_CELL_WRONG || it->judged == LESSON_PANE_CELL_SHORT
                 : it->field.size == 0;
}

/* The next of these in reading order, after the cursor; with `around`, then from the beginning, the
 * one under the cursor last. LESSON_PANE_MAX_CELLS: there is none. */
static size_t next_waiting(const struct lesson_pane *pane, bool wrong, bool around)
{
    size_t size = tensor_size(&cells_of(pane)->answer->value);
    size_t here = position_here(pane);
    for (size_t i = 1; i <= size && (around || here + i < size); i++) {
        size_t cell = lesson_pane_cell_at(pane, (here + i) % size);
        if (waits(pane, cell, wrong))
            return cell;
    }
    return LESSON_PANE_MAX_CELLS;
}

/* Where Enter goes: to an empty cell, else to a wrong one further down, else, from one that was
 * mended, to those above it that were not. */
static size_t next_cell(const struct lesson_pane *pane)
{
    size_t empty = next_waiting(pane, false, true);
    if (empty < LESSON_PANE_MAX_CELLS)
        return empty;
    bool mended = !waits(pane, cell_here(pane), true);
    return next_waiting(pane, true, mended);
}

bool lesson_pane_cells_are_filled(const struct lesson_pane *pane)
{
    return next_cell(pane) == LESSON_PANE_MAX_CELLS;
}

/* Goes to the end of a cell's text, to correct it. */
static void type_on(struct lesson_pane *pane, size_t cell)
{
    lesson_pane_go_to_cell(pane, cell);
    pane->edits = true;
}

static bool judge_cell(const struct lesson_pane *pane, size_t i, struct judged *ret,
                       struct error *reterr)
{
    struct player *player = pane->tutor->player;
    const struct question_sessions sessions = {.lesson = &player->reference.session,
                                               .learner = &player->learner.session};
    return question_judge_cell(player_page(player)->question, &sessions, &player->cells, i,
                               pane->cells[i].field.text, ret, reterr);
}

/* Goes to the first cell that holds no number, and says why: in the words of numbers, since the
 * line of all cells would be told in those of a list. */
static bool refuse_words(struct lesson_pane *pane)
{
    const struct question_cells *cells = cells_of(pane);
    for (size_t i = 0; i < cells->n && i < LESSON_PANE_MAX_CELLS; i++) {
        struct judged ignored;
        struct error error;
        if (!is_open(pane, i) || judge_cell(pane, i, &ignored, &error))
            continue;
        if (error.begin > 0)
            type_on(pane, i);
        else
            lesson_pane_go_to_cell(pane, i); /* what is typed takes its place */
        error.begin = error.end = 0;
        lesson_pane_say_error(pane, &error);
        return true;
    }
    return false;
}

void lesson_pane_give_cells(struct lesson_pane *pane)
{
    size_t next = next_cell(pane);
    pane->edits = false;
    if (next == LESSON_PANE_MAX_CELLS && refuse_words(pane))
        return;
    if (next == LESSON_PANE_MAX_CELLS) {
        struct text line = {0};
        put_answer(pane, LESSON_PANE_MAX_CELLS, &line);
        lesson_pane_give_line(pane, &line, "change a cell");
        return;
    }
    if (next == cell_here(pane))
        pane->waits = true;
    lesson_pane_go_to_cell(pane, next);
    lesson_pane_show_cursor(pane);
}

static void go_to_first_wrong(struct lesson_pane *pane)
{
    size_t size = tensor_size(&cells_of(pane)->answer->value);
    for (size_t i = 0; i < size; i++)
        if (waits(pane, lesson_pane_cell_at(pane, i), true)) {
            lesson_pane_go_to_cell(pane, lesson_pane_cell_at(pane, i));
            return;
        }
}

void lesson_pane_judge_cells(struct lesson_pane *pane)
{
    const struct question_cells *cells = cells_of(pane);
    for (size_t i = 0; i < cells->n && i < LESSON_PANE_MAX_CELLS; i++) {
        struct judged judged;
        struct error ignored;
        struct lesson_pane_cell *cell = &pane->cells[i];
        if (!is_open(pane, i) || !judge_cell(pane, i, &judged, &ignored))
            continue;
        cell->judged = judged.is_unfinished ? LESSON_PANE_CELL_SHORT
                       : judged.right       ? LESSON_PANE_CELL_RIGHT
                                            : LESSON_PANE_CELL_WRONG;
    }
    go_to_first_wrong(pane);
}

void lesson_pane_point_at_cell(struct lesson_pane *pane, size_t at)
{
    for (size_t i = 0; i < LESSON_PANE_MAX_CELLS; i++) {
        struct text line = {0};
        if (!is_open(pane, i))
            continue;
        put_answer(pane, i, &line);
        size_t begin = line.size, size = pane->cells[i].field.size;
        text_release(&line);
        if (at >= begin && at < begin + size) {
            type_on(pane, i);
            return;
        }
    }
}

/* ---- drawing ---- */

/* The bracket after a cell, or in its place a sign for what was wrong. */
static void put_end(struct doc *doc, const struct lesson_pane_cell *cell, enum style style,
                    bool ascii)
{
    if (cell->judged == LESSON_PANE_CELL_WRONG)
        doc_add(doc, STYLE_BAD, "%s", ascii ? "x" : "\xE2\x9C\x97");
    else if (cell->judged == LESSON_PANE_CELL_RIGHT)
        doc_add(doc, STYLE_GOOD, "%s", ascii ? "v" : "\xE2\x9C\x93");
    else
        doc_add(doc, cell->judged == LESSON_PANE_CELL_SHORT ? STYLE_NOTE : style, "%s",
                cell->judged == LESSON_PANE_CELL_SHORT ? "~" : "]");
}

static void put_slot(const struct lesson_pane *pane, const struct lesson_pane_grid *grid,
                     size_t position, struct doc *doc, bool ascii)
{
    char text[NUMBER_TEXT];
    size_t at = lesson_pane_cell_at(pane, position);
    bool here = at == cell_here(pane);
    if (at == LESSON_PANE_MAX_CELLS) {
        doc_add(doc, STYLE_QUIET, " %-*s ", (int)grid->cell_cols,
                lesson_pane_shown_number(pane, grid->matrix, position, text));
        return;
    }
    const struct lesson_pane_cell *cell = &pane->cells[at];
    enum style style = here ? STYLE_TITLE : STYLE_PLAIN;
    doc_put(doc, style, "[", 1);
    lesson_pane_put_typed(doc, &cell->field, grid->cell_cols, here, ascii);
    put_end(doc, cell, style, ascii);
}

void lesson_pane_add_cells(const struct lesson_pane *pane, struct doc *doc, bool ascii,
                           size_t *ret_col)
{
    struct lesson_pane_grid grid = lesson_pane_grid_of(pane);
    const struct field *field = &pane->cells[cell_here(pane)].field;
    size_t at = text_width(field->text, field->cursor);
    lesson_pane_add_grid(&grid, put_slot, pane, doc, ascii);
    *ret_col = lesson_pane_grid_col(&grid) + 1 + size_min(at, grid.cell_cols - 1);
}
