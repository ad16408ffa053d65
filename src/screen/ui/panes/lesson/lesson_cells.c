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

/* ---- lists of numbers ---- */

enum { MAX_PARTS = 400 };

/* A list as it was typed or pasted: the text of each number, and its row. */
struct parts {
    struct part {
        const char *text;
        size_t size, row;
    } items[MAX_PARTS];
    size_t n, n_rows;
    bool is_too_long;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_operator(const char *text, const char *end)
{
    bool is_sign = end - text >= 2 && (memcmp(text, "\xC3\x97", 2) == 0 || /* times */
                                       memcmp(text, "\xC3\xB7", 2) == 0);  /* divided by */
    return is_sign || (text < end && memchr("+-*/^", *text, 5) != NULL);
}

/* Whether text[0..size) is an expression as far as it goes: all of its brackets are closed, and no
 * operator stands at its end. */
static bool is_complete(const char *text, size_t size)
{
    int depth = 0;
    while (size > 0 && is_blank(text[size - 1]))
        size--;
    for (size_t i = 0; i < size; i++)
        depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    const char *end = text + size;
    return size > 0 && depth <= 0 && !is_operator(end - 1, end) &&
           !(size >= 2 && is_operator(end - 2, end) && (unsigned char)end[-1] >= 0x80);
}

/* Whether a number begins at the text, after blanks: "-1" does, "- 1" goes on with the one before.
 */
static bool begins_number(const char *text, const char *end)
{
    while (text < end && is_blank(*text))
        text++;
    bool is_minus = text + 1 < end && *text == '-' && !is_blank(text[1]);
    return text < end && (is_minus || !is_operator(text, end));
}

static void end_part(struct parts *parts, const char *begin, const char *end)
{
    while (begin < end && is_blank(*begin))
        begin++;
    while (begin < end && is_blank(end[-1]))
        end--;
    if (begin == end)
        return;
    if (parts->n == MAX_PARTS)
        parts->is_too_long = true;
    else
        parts->items[parts->n++] = (struct part){begin, (size_t)(end - begin), parts->n_rows};
}

static void end_row(struct parts *parts)
{
    if (parts->n > 0 && parts->items[parts->n - 1].row == parts->n_rows)
        parts->n_rows++;
}

/* Numbers are separated by commas, tabs or blanks; rows by brackets, semicolons or line ends. What
 * stands in the brackets of an expression is part of it: max(1, 2), X[0, 1]. */
static void split(const char *text, size_t size, struct parts *ret)
{
    const char *begin = text, *end = text + size;
    int depth = 0;      /* of the brackets of an expression */
    size_t n_lists = 0; /* that are open: a line end in a list is a blank */
    ret->n = ret->n_rows = 0;
    ret->is_too_long = false;
    for (const char *at = text; at < end; at++) {
        bool opens_list = *at == '[' && depth == 0 && !is_complete(begin, (size_t)(at - begin));
        bool ends_row = *at == ']' || *at == ';' || (*at == '\n' && n_lists == 0);
        if (opens_list) {
            n_lists++;
            begin = at + 1;
        } else if (*at == '(' || *at == '[') {
            depth++;
        } else if (depth > 0) {
            depth -= *at == ')' || *at == ']';
        } else if (ends_row || *at == ',' || *at == '\t' ||
                   (is_blank(*at) && is_complete(begin, (size_t)(at - begin)) &&
                    begins_number(at, end))) {
            end_part(ret, begin, at);
            begin = at + 1;
            if (ends_row)
                end_row(ret);
            n_lists -= *at == ']' && n_lists > 0;
        }
    }
    end_part(ret, begin, end);
    end_row(ret);
}

/* "row 1, column 2", or the position of a number that has no row. */
static void put_cell_name(const struct lesson_pane *pane, size_t position, struct text *out)
{
    const struct node *answer = cells_of(pane)->answer;
    const struct tensor *x = &answer->value;
    size_t n_cols = x->shape[x->n_axes - 1];
    if (x->n_axes == 1) {
        text_format(out, "number %zu", position + 1);
    } else if (x->n_axes == 2) {
        text_format(out, "row %zu, column %zu", position / n_cols + 1, position % n_cols + 1);
    } else {
        text_put(out, "cell ");
        lesson_pane_put_index(answer, position, out);
    }
}

static size_t count_open(const struct lesson_pane *pane, size_t begin, size_t end)
{
    size_t n = 0;
    for (size_t i = begin; i < end; i++)
        n += lesson_pane_cell_at(pane, i) < LESSON_PANE_MAX_CELLS;
    return n;
}

static bool has_shape(const struct parts *parts, size_t n_rows, size_t n_cols)
{
    bool ok = n_rows > 1 && parts->n_rows == n_rows && parts->n == n_rows * n_cols;
    for (size_t i = 0; ok && i < parts->n; i++)
        ok = parts->items[i].row == i / n_cols;
    return ok;
}

/* Finds the position of each number: that in a matrix of the same shape, else row by row from the
 * cursor on. Where a row has as many numbers as cells to fill, the cells that are shown are left
 * out. False: a number has no place. */
static bool place_parts(const struct lesson_pane *pane, const struct parts *parts,
                        size_t positions[MAX_PARTS])
{
    const struct tensor *x = &cells_of(pane)->answer->value;
    size_t n_cols = x->shape[x->n_axes - 1], size = tensor_size(x), here = position_here(pane);
    bool is_whole = has_shape(parts, size / n_cols, n_cols);
    for (size_t i = 0, n; i < parts->n; i += n) {
        for (n = 1; i + n < parts->n && parts->items[i + n].row == parts->items[i].row;)
            n++;
        size_t row = is_whole ? i : (here / n_cols + parts->items[i].row) * n_cols;
        size_t at = row + (is_whole ? 0 : here % n_cols), end = row + n_cols;
        if (end > size)
            return false;
        if (n == n_cols && count_open(pane, row, at) == 0)
            at = row; /* the whole row, where the cursor is in the first cell to fill */
        bool skips = n < end - at && n == count_open(pane, at, end);
        for (size_t j = 0; j < n; j++, at++) {
            while (skips && at < end && lesson_pane_cell_at(pane, at) == LESSON_PANE_MAX_CELLS)
                at++;
            if (at >= end)
                return false;
            positions[i + j] = at;
        }
    }
    return !parts->is_too_long;
}

static void say_too_many(struct lesson_pane *pane, const struct parts *parts)
{
    struct error error;
    struct text here = {0};
    const struct tensor *x = &cells_of(pane)->answer->value;
    size_t n_cols = x->shape[x->n_axes - 1], at = position_here(pane);
    put_cell_name(pane, at, &here);
    if (parts->n_rows == 1)
        error_set(&error, ERR_SHAPE,
                  "%zu numbers are too many: from %s on, the row has room for %zu; nothing was "
                  "filled in",
                  parts->n, text_string(&here), n_cols - at % n_cols);
    else
        error_set(&error, ERR_SHAPE,
                  "%zu numbers in %zu rows are too many: from %s on, there is room for %zu rows of "
                  "%zu; nothing was filled in",
                  parts->n, parts->n_rows, text_string(&here),
                  tensor_size(x) / n_cols - at / n_cols, n_cols - at % n_cols);
    text_release(&here);
    error.begin = error.end = 0;
    lesson_pane_say_error(pane, &error);
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
    bool separates = key == ' ' || key == ','; /* after the number before */
    if (separates || lesson_pane_edit(pane, &field, key) != FIELD_CHANGED)
        return separates;
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

static size_t next_cell(const struct lesson_pane *pane);

/* Fills the cells from the one under the cursor on, and goes to the next one that is empty. Where
 * the numbers do not fit, says so and fills none. */
static void fill(struct lesson_pane *pane, const struct parts *parts)
{
    size_t positions[MAX_PARTS];
    if (!place_parts(pane, parts, positions)) {
        say_too_many(pane, parts);
        return;
    }
    pane->cells[cell_here(pane)].field = (struct field){.size = 0}; /* it may hold the list */
    for (size_t i = 0; i < parts->n; i++) {
        size_t at = lesson_pane_cell_at(pane, positions[i]);
        if (at == LESSON_PANE_MAX_CELLS)
            continue;
        struct lesson_pane_cell *cell = &pane->cells[at];
        field_set(&cell->field, parts->items[i].text, parts->items[i].size);
        for (size_t j = 0; j < cell->field.size; j++)
            cell->field.text[j] = is_blank(cell->field.text[j]) ? ' ' : cell->field.text[j];
        note_edit(pane, cell);
        lesson_pane_go_to_cell(pane, at);
    }
    pane->edits = false;
    size_t next = next_cell(pane);
    if (next < LESSON_PANE_MAX_CELLS && pane->cells[next].field.size == 0)
        lesson_pane_go_to_cell(pane, next);
    lesson_pane_show_cursor(pane);
}

/* Spreads the text of the cell under the cursor over the cells from it on. False: it is no list. */
static bool spread(struct lesson_pane *pane)
{
    struct parts parts;
    struct field field = pane->cells[cell_here(pane)].field;
    split(field.text, field.size, &parts);
    if (parts.n == 0 || (parts.n == 1 && field.text[0] != '['))
        return false;
    fill(pane, &parts);
    return true;
}

void lesson_pane_paste(void *state, int key)
{
    struct lesson_pane *pane = state;
    struct text *pasted = &pane->pasted;
    char bytes[KEY_BYTES];
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    bool is_list = ask == LESSON_PANE_ASKS_CELLS && !find_types(&pane->find);
    bool is_line = ask == LESSON_PANE_ASKS_LINE && !find_types(&pane->find);
    if (!is_list && !is_line) {
        text_release(pasted);
        if (key != KEYCODE_PASTE_END)
            (void)pane_press((struct pane){&lesson_pane_ops, pane},
                             key == KEYCODE_ENTER || key == KEYCODE_TAB ? ' ' : key);
        return;
    }
    if (key == KEYCODE_ENTER || key == KEYCODE_TAB) {
        text_char(pasted, key == KEYCODE_TAB ? '\t' : '\n');
    } else if (key != KEYCODE_PASTE_END) {
        size_t size = key >= ' ' && key != KEYCODE_BACKSPACE ? key_bytes(key, bytes) : 0;
        for (size_t i = 0; i < size; i++)
            text_char(pasted, bytes[i]);
    } else if (pasted->failed) {
        struct error error;
        error_memory(&error, "the pasted text");
        lesson_pane_say_error(pane, &error);
        text_release(pasted);
    } else if (is_line) {
        lesson_pane_paste_line(pane, pasted);
        text_release(pasted);
    } else {
        struct parts parts;
        size_t at = cell_here(pane);
        struct lesson_pane_cell *cell = &pane->cells[at];
        pane->cell = at;
        pane->is_left = pane->waits = false;
        pane->notice[0] = '\0';
        split(text_string(pasted), pasted->size, &parts);
        if (parts.n > 0 && pane->edits && cell->field.size > 0) { /* it goes on with the text */
            for (size_t i = 0; i < pasted->size; i++)
                pasted->bytes[i] = pasted->bytes[i] == '\n'     ? ';'
                                   : is_blank(pasted->bytes[i]) ? ' '
                                                                : pasted->bytes[i];
            (void)field_replace(&cell->field, cell->field.cursor, pasted->bytes, pasted->size);
            note_edit(pane, cell);
            if (is_complete(cell->field.text, cell->field.size))
                (void)spread(pane);
        } else if (parts.n > 0) {
            fill(pane, &parts);
        }
        text_release(pasted);
    }
}

/* A blank led to this cell, and the expression before it goes on: 1 / 3. */
static bool continues(const struct lesson_pane *pane, size_t from, int key)
{
    return from > 0 && !pane->edits && pane->cells[cell_here(pane)].field.size == 0 &&
           (key == '+' || key == '*' || key == '/' || key == '^');
}

bool lesson_pane_cell_key(struct lesson_pane *pane, int key)
{
    size_t at = cell_here(pane), from = pane->spaced_from;
    pane->cell = at;
    pane->spaced_from = 0;
    if (continues(pane, from, key)) {
        at = from - 1;
        lesson_pane_go_to_cell(pane, at);
        pane->edits = true;
        (void)lesson_pane_edit(pane, &pane->cells[at].field, ' ');
    }
    struct lesson_pane_cell *cell = &pane->cells[at];
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
    bool is_whole =
        cell->field.cursor == cell->field.size && is_complete(cell->field.text, cell->field.size);
    if ((key == ' ' || key == ',') && is_whole) {
        if (spread(pane))
            return true;
        if (!step_cell(pane, 1))
            lesson_pane_notice(pane, "this is the last cell; Enter goes on");
        else
            pane->spaced_from = key == ' ' ? at + 1 : 0;
        lesson_pane_show_cursor(pane);
        return true;
    }
    enum field_change change = lesson_pane_edit(pane, &cell->field, key);
    if (change == FIELD_CHANGED)
        note_edit(pane, cell);
    if (key == ']' && cell->field.text[0] == '[' && is_complete(cell->field.text, cell->field.size))
        (void)spread(pane);
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
        struct text name = {0};
        struct error named;
        put_cell_name(pane, cells->positions[i], &name);
        error_set(&named, error.kind, "%s: %s", text_string(&name), error.text);
        text_release(&name);
        named.begin = named.end = 0;
        lesson_pane_say_error(pane, &named);
        return true;
    }
    return false;
}

void lesson_pane_give_cells(struct lesson_pane *pane)
{
    if (spread(pane))
        return;
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
