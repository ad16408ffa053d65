/* Numbers that get other values: tables of what may change, in which one types. See
 * lesson_pane_internal.h. */
#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "tensor/tensor.h"
#include "ui/panes/lesson/lesson_pane_internal.h"

static const struct question_input *input_here(const struct lesson_pane *pane)
{
    return &pane->inputs.items[pane->input];
}

static size_t count_numbers(const struct question_input *input)
{
    return tensor_size(&input->value->value);
}

static unsigned most_of(const struct lesson_pane *pane)
{
    return question_most_changes(lesson_pane_question(pane));
}

/* The change of a number, or n_changes. */
static size_t find_change(const struct lesson_pane *pane, size_t input, size_t position)
{
    size_t i = 0;
    while (i < pane->n_changes &&
           (pane->changes[i].input != input || pane->changes[i].position != position))
        i++;
    return i;
}

static size_t change_here(const struct lesson_pane *pane)
{
    return find_change(pane, pane->input, pane->point);
}

/* ---- the cursor ---- */

static void go_to(struct lesson_pane *pane, size_t input, size_t position)
{
    pane->input = input;
    pane->point = position;
    pane->edits = false;
}

/* To the next number that may change in reading order, or the one before: also of another input. */
static bool step_number(struct lesson_pane *pane, int by)
{
    size_t input = pane->input, at = pane->point + (size_t)by;
    while (input < pane->inputs.n) {
        const struct question_input *it = &pane->inputs.items[input];
        for (; at < count_numbers(it); at += (size_t)by)
            if (it->may_change[at]) {
                go_to(pane, input, at);
                return true;
            }
        input += (size_t)by;
        at = by > 0 || input >= pane->inputs.n ? 0 : count_numbers(&pane->inputs.items[input]) - 1;
    }
    return false;
}

/* The number of a row that may change and is nearest to a column, or SIZE_MAX. */
static size_t nearest_in_row(const struct question_input *input, size_t row, size_t col,
                             size_t n_cols)
{
    size_t nearest = SIZE_MAX, away = SIZE_MAX;
    for (size_t i = 0; i < n_cols; i++) {
        size_t far = i > col ? i - col : col - i;
        if (input->may_change[row * n_cols + i] && far < away) {
            nearest = row * n_cols + i;
            away = far;
        }
    }
    return nearest;
}

static size_t cols_of(const struct question_input *input)
{
    unsigned n_axes = input->value->value.n_axes;
    return n_axes > 0 ? input->value->value.shape[n_axes - 1] : 1;
}

bool lesson_pane_step_change_row(struct lesson_pane *pane, int by)
{
    size_t col = pane->point % cols_of(input_here(pane));
    size_t input = pane->input, row = pane->point / cols_of(input_here(pane)) + (size_t)by;
    while (input < pane->inputs.n) {
        const struct question_input *it = &pane->inputs.items[input];
        size_t n_cols = cols_of(it);
        for (; row < count_numbers(it) / n_cols; row += (size_t)by) {
            size_t at = nearest_in_row(it, row, col, n_cols);
            if (at < SIZE_MAX) {
                go_to(pane, input, at);
                return true;
            }
        }
        input += (size_t)by;
        row = 0;
        if (by < 0 && input < pane->inputs.n)
            row =
                count_numbers(&pane->inputs.items[input]) / cols_of(&pane->inputs.items[input]) - 1;
    }
    return false;
}

bool lesson_pane_start_change(struct lesson_pane *pane)
{
    struct error ignored;
    struct player *player = pane->tutor->player;
    const struct question_sessions sessions = {.lesson = &player->reference.session,
                                               .learner = &player->learner.session};
    question_inputs_release(&pane->inputs);
    pane->n_changes = 0;
    if (!question_inputs(lesson_pane_question(pane), &sessions, &pane->inputs, &ignored))
        return false;
    go_to(pane, 0, 0);
    return pane->inputs.n > 0 && count_numbers(input_here(pane)) > 0 &&
           (input_here(pane)->may_change[0] || step_number(pane, 1));
}

/* ---- typing ---- */

static void take_back(struct lesson_pane *pane, size_t change)
{
    for (size_t i = change + 1; i < pane->n_changes; i++)
        pane->changes[i - 1] = pane->changes[i];
    pane->n_changes--;
    pane->edits = false;
    lesson_pane_forget_count(pane);
}

/* What is typed takes the place of the number. */
static bool begin_edit(struct lesson_pane *pane, int key)
{
    struct field field = {.size = 0};
    size_t change = change_here(pane);
    bool is_new = change == pane->n_changes;
    unsigned most = most_of(pane);
    if (key == ' ' || lesson_pane_edit(pane, &field, key) != FIELD_CHANGED)
        return key == ' ';
    if (is_new && pane->n_changes >= most) {
        lesson_pane_notice(pane,
                           most == 1 ? "only %u number may change: Backspace on it takes it back"
                                     : "only %u numbers may change: Backspace takes one back",
                           most);
        return true;
    }
    if (is_new)
        pane->changes[pane->n_changes++] =
            (struct lesson_pane_change){.input = pane->input, .position = pane->point};
    pane->changes[change].field = field;
    pane->edits = true;
    pane->touched = true;
    lesson_pane_forget_count(pane);
    return true;
}

bool lesson_pane_clear_change(struct lesson_pane *pane)
{
    size_t change = change_here(pane);
    if (change == pane->n_changes)
        return false;
    (void)lesson_pane_clear_field(pane, &pane->changes[change].field);
    take_back(pane, change);
    return true;
}

static bool edit(struct lesson_pane *pane, int key)
{
    size_t change = change_here(pane);
    enum field_change done = lesson_pane_edit(pane, &pane->changes[change].field, key);
    if (done == FIELD_CHANGED)
        lesson_pane_forget_count(pane);
    if (pane->changes[change].field.size == 0)
        take_back(pane, change);
    return done != FIELD_IGNORED;
}

bool lesson_pane_change_key(struct lesson_pane *pane, int key)
{
    int by =
        lesson_pane_step_of_key(key, pane->edits ? &pane->changes[change_here(pane)].field : NULL);
    if (by != 0) {
        if (step_number(pane, by))
            lesson_pane_show_cursor(pane);
        return true;
    }
    if (pane->edits)
        return edit(pane, key);
    if (key == KEYCODE_BACKSPACE || key == KEYCODE_DELETE || key == 'U' - '@') {
        (void)lesson_pane_clear_change(pane);
        return true;
    }
    return begin_edit(pane, key);
}

/* ---- giving the answer ---- */

/* "X[2, 0]" */
static void put_place(const struct lesson_pane *pane, const struct lesson_pane_change *change,
                      struct text *out)
{
    const struct question_input *input = &pane->inputs.items[change->input];
    bool has_index = input->value->value.n_axes > 0;
    text_format(out, "%s%s", input->name, has_index ? "[" : "");
    lesson_pane_put_index(input->value, change->position, out);
    text_put(out, has_index ? "]" : "");
}

/* "answer X[2, 0] = 1.5; b = 2", the first n of them. */
static void put_answer(const struct lesson_pane *pane, size_t n, struct text *line)
{
    text_put(line, "answer ");
    for (size_t i = 0; i < n; i++) {
        text_put(line, i > 0 ? "; " : "");
        put_place(pane, &pane->changes[i], line);
        text_put(line, " = ");
        question_write_number(lesson_pane_question(pane), pane->changes[i].field.text, line);
    }
}

/* "v[0] = 16": a name gets a value, outside of all brackets; dim=-1 of a call is inside. */
static bool is_assignment(const char *typed)
{
    int depth = 0;
    for (const char *at = typed; *at != '\0'; at++) {
        depth += strchr("([{", *at) != NULL ? 1 : strchr(")]}", *at) != NULL ? -1 : 0;
        bool compares = at[1] == '=' || (at > typed && strchr("=<>!", at[-1]) != NULL);
        if (*at == '=' && depth == 0 && !compares)
            return true;
    }
    return false;
}

/* Goes to a number over which a whole change was typed, and says what to type. */
static bool refuse_assignment(struct lesson_pane *pane)
{
    size_t i = 0;
    while (i < pane->n_changes && !is_assignment(pane->changes[i].field.text))
        i++;
    if (i == pane->n_changes)
        return false;
    go_to(pane, pane->changes[i].input, pane->changes[i].position);
    lesson_pane_notice(pane, "type the number alone: the cell is chosen by the cursor");
    lesson_pane_show_cursor(pane);
    return true;
}

void lesson_pane_give_changes(struct lesson_pane *pane)
{
    struct text line = {0};
    pane->edits = false;
    if (pane->n_changes == 0) {
        pane->waits = true;
        return;
    }
    if (refuse_assignment(pane))
        return;
    put_answer(pane, pane->n_changes, &line);
    size_t skipped = strlen("answer ");
    if (!line.failed && line.size - skipped < sizeof pane->given)
        memcpy(pane->given, line.bytes + skipped, line.size - skipped + 1);
    lesson_pane_give_line(pane, &line, "another number");
}

void lesson_pane_point_at_change(struct lesson_pane *pane, size_t at)
{
    for (size_t i = 0; i < pane->n_changes; i++) {
        struct text line = {0};
        put_answer(pane, i + 1, &line);
        bool is_this = at < line.size;
        text_release(&line);
        if (!is_this)
            continue;
        go_to(pane, pane->changes[i].input, pane->changes[i].position);
        return;
    }
}

/* ---- drawing ---- */

static struct lesson_pane_grid grid_of(const struct lesson_pane *pane, size_t input)
{
    char text[NUMBER_TEXT];
    const struct node *value = pane->inputs.items[input].value;
    size_t widest = LESSON_PANE_CELL_MIN_COLS;
    for (size_t i = 0; i < tensor_size(&value->value); i++)
        widest = size_max(widest, strlen(lesson_pane_shown_number(pane, value, i, text)));
    struct lesson_pane_grid grid =
        lesson_pane_fit_grid(pane, value, widest, size_max(widest, LESSON_PANE_CELL_MAX_COLS),
                             input == pane->input ? pane->point : SIZE_MAX);
    grid.names_cursor = !pane->is_left;
    return grid;
}

struct lesson_pane_grid lesson_pane_change_grid(const struct lesson_pane *pane)
{
    return grid_of(pane, pane->input);
}

/* The input that a table shows. */
static size_t input_of(const struct lesson_pane *pane, const struct node *matrix)
{
    size_t i = 0;
    while (pane->inputs.items[i].value != matrix)
        i++;
    return i;
}

static void put_slot(const struct lesson_pane *pane, const struct lesson_pane_grid *grid,
                     size_t position, struct doc *doc, bool ascii)
{
    char text[NUMBER_TEXT];
    size_t input = input_of(pane, grid->matrix), change = find_change(pane, input, position);
    bool may = pane->inputs.items[input].may_change[position];
    if (change == pane->n_changes) {
        doc_add(doc, may ? STYLE_NUMBER : STYLE_QUIET, " %-*s ", (int)grid->cell_cols,
                lesson_pane_shown_number(pane, grid->matrix, position, text));
        return;
    }
    doc_put(doc, STYLE_TITLE, "[", 1);
    lesson_pane_put_typed(doc, &pane->changes[change].field, grid->cell_cols,
                          position == grid->here, ascii);
    doc_put(doc, STYLE_TITLE, "]", 1);
}

/* "X[sun, 2]: 0.93 > 1.5" */
static void add_change(const struct lesson_pane *pane, size_t i, struct doc *doc, bool ascii)
{
    char number[NUMBER_TEXT];
    struct text text = {0};
    const struct lesson_pane_change *change = &pane->changes[i];
    const struct question_input *input = &pane->inputs.items[change->input];
    text_put(&text, input->name);
    if (input->value->value.n_axes > 0)
        node_write_place(input->value, change->position, &text);
    text_format(&text, ": %s %s %s",
                lesson_pane_shown_number(pane, input->value, change->position, number),
                ascii ? "->" : "\xE2\x86\x92", change->field.text);
    doc_wrap(doc, STYLE_NOTE, text_string(&text), lesson_pane_text_cols(pane), 2);
    doc->failed = doc->failed || text.failed;
    text_release(&text);
}

void lesson_pane_add_changes(const struct lesson_pane *pane, struct doc *doc, bool ascii,
                             size_t *ret_line, size_t *ret_col)
{
    size_t change = change_here(pane);
    for (size_t i = 0; i < pane->inputs.n; i++) {
        struct lesson_pane_grid grid = grid_of(pane, i);
        doc_line(doc, STYLE_TITLE, "%s", pane->inputs.items[i].name);
        if (i == pane->input) {
            const struct field *field = &pane->changes[change].field;
            size_t at = pane->edits ? text_width(field->text, field->cursor) : 0;
            *ret_line = doc->n_lines + lesson_pane_grid_line(&grid);
            *ret_col = lesson_pane_grid_col(&grid) + 1 + size_min(at, grid.cell_cols - 1);
        }
        lesson_pane_add_grid(&grid, put_slot, pane, doc, ascii);
    }
    for (size_t i = 0; i < pane->n_changes; i++)
        add_change(pane, i, doc, ascii);
}

bool lesson_pane_click_change(struct lesson_pane *pane, size_t line, int col)
{
    for (size_t i = 0, first = 1; i < pane->inputs.n; i++) { /* below the name */
        struct lesson_pane_grid grid = grid_of(pane, i);
        size_t at = line >= first ? lesson_pane_grid_find(&grid, line - first, col) : SIZE_MAX;
        if (at < SIZE_MAX && pane->inputs.items[i].may_change[at]) {
            go_to(pane, i, at);
            return true;
        }
        if (at < SIZE_MAX)
            return false;
        first += 2 + grid.end_row - grid.first_row + (grid.end_row < grid.n_rows);
    }
    return false;
}
