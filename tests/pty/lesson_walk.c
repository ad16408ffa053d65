/* See lesson_walk.h. */
#include "lesson_walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/page_internal.h"
#include "graph/node.h"
#include "commands/command.h"
#include "tensor/tensor.h"

/* ---- the lesson ---- */

void open_learner(struct learner *learner, const char *id)
{
    struct error error;
    const char *data = getenv("ATTN_DATA_DIR");
    *learner = (struct learner){0};
    if (!course_open(data, &learner->course, &error) ||
        !course_find(&learner->course, id, &learner->entry, &error) ||
        !lesson_read(learner->entry->path, &learner->lesson, &error))
        fail_msg("%s", error.text);
    session_init(&learner->session, command_find, &(struct settings){.digits = 4, .width_cols = 80},
                 data, NULL);
}

void close_learner(struct learner *learner)
{
    session_release(&learner->session);
    lesson_free(learner->lesson);
    course_release(&learner->course);
}

void read_page(struct learner *learner, const struct page *page)
{
    unsigned line;
    struct error error;
    if (!page_run(&learner->session, page, 0, NULL, &line, &error))
        fail_msg("%s:%u: %s", learner->lesson->path, line, error.text);
    for (size_t i = 0; page->question != NULL && i < page->question->n_options; i++)
        learner->picked[i] = false;
    learner->at = learner->n_given = 0;
}

void run_offer(struct learner *learner, const struct page *page)
{
    unsigned line;
    struct error error;
    if (page->offer.text != NULL && !code_run(&learner->session, &page->offer, NULL, &line, &error))
        fail_msg("%s:%u: %s", learner->lesson->path, line, error.text);
}

size_t count_offered(const struct page *page)
{
    const char *line;
    size_t size, n = 0;
    struct code_lines lines = code_lines_of(page->offer.text != NULL ? &page->offer : NULL);
    while (code_lines_next(&lines, &line, &size))
        n += !code_line_is_blank(line, size);
    return n;
}

struct tensor *value_of(struct learner *learner, const char *expression, struct value *value)
{
    struct error error;
    if (!session_peek(&learner->session, NULL, expression, value, &error))
        fail_msg("%s: %s", expression, error.text);
    assert_int_equal(value->kind, VALUE_NODE);
    return &value->as.node->value;
}

bool is_typed(const struct question *question)
{
    switch (question->kind) {
    case QUESTION_CHOICE:
    case QUESTION_ORDER:
    case QUESTION_CELL:
    case QUESTION_MASK:
    case QUESTION_EXERCISE:
        return false;
    case QUESTION_PREDICT:
        return question->n_options == 0;
    default:
        return true;
    }
}

/* ---- numbers ---- */

/* As one types it: with no more digits than it needs, and no power of ten. */
static void write_number(float number, char digits[48])
{
    snprintf(digits, 48, "%.7g", (double)number);
    if (strchr(digits, 'e') != NULL)
        snprintf(digits, 48, "%.9f", (double)number);
}

static void give_number(struct learner *learner, const char *expression)
{
    char digits[48], shown[80];
    struct value value;
    write_number(tensor_at_position(value_of(learner, expression, &value), 0), digits);
    value_release(&value);
    screen_type(&screen, digits);
    snprintf(shown, sizeof shown, "your answer: %s", digits);
    screen_wait(&screen, shown);
    enter();
}

/* ---- options ---- */

/* "2 ( )" where one is right, "2 [ ]" where several may be. */
static size_t asked_option;

static bool has_box(const char *sign)
{
    char box[40];
    snprintf(box, sizeof box, "%zu %s", asked_option, sign);
    return screen_shows(&screen, box);
}

static bool is_picked(struct screen *shown, const char *what)
{
    (void)shown;
    (void)what;
    return !has_box("( )") && !has_box("[ ]");
}

void pick(size_t option, bool by_mouse)
{
    char text[40];
    asked_option = option;
    snprintf(text, sizeof text, "%zu %s", option, has_box("( )") ? "( )" : "[ ]");
    if (by_mouse)
        click_on(text, 6);
    else
        screen_type(&screen, (char[]){(char)('0' + option), '\0'});
    screen_wait_for(&screen, is_picked, "an option that is picked");
}

void give(bool by_mouse)
{
    if (by_mouse)
        click_key("Enter");
    else
        enter();
}

void give_options(struct learner *learner, const char *expression, bool by_mouse)
{
    struct value value;
    bool wanted[16] = {false};
    const struct tensor *options = value_of(learner, expression, &value);
    size_t n = tensor_size(options);
    bool several = screen_shows(&screen, "1 [");
    for (size_t i = 0; i < n; i++) {
        size_t option = (size_t)tensor_at_position(options, i);
        wanted[option - 1] = true;
        if (!learner->picked[option - 1])
            pick(option, by_mouse);
    }
    for (size_t i = 0; i < 9; i++) {
        if (learner->picked[i] && !wanted[i] && several) /* is ticked off */
            screen_type(&screen, (char[]){(char)('1' + i), '\0'});
        learner->picked[i] = wanted[i];
    }
    value_release(&value);
    give(by_mouse);
}

/* Types the numbers of the steps. Before the first answer a step is also picked up, carried down
 * and put down, which what is typed then replaces. */
static void give_order(struct learner *learner, const struct question *question,
                       const char *expression)
{
    struct value value;
    size_t n = question->n_options;
    const struct tensor *wanted = value_of(learner, expression, &value);
    if (learner->n_given == 0) {
        screen_type(&screen, " ");
        press(VTERM_KEY_DOWN);
        screen_type(&screen, " ");
        screen_press(&screen, VTERM_KEY_UP, VTERM_MOD_SHIFT);
    }
    for (size_t place = 0; place < n; place++) {
        char typed[8];
        snprintf(typed, sizeof typed, "%s%.0f", place > 0 ? ", " : "",
                 (double)tensor_at_position(wanted, place));
        screen_type(&screen, typed);
    }
    value_release(&value);
    enter();
}

/* ---- matrices ---- */

static void with_cells(struct learner *learner, const struct question *question,
                       struct question_cells *cells)
{
    struct error error;
    struct question_sessions sessions = {&learner->session, &learner->session, NULL};
    if (!question_cells(question, &sessions, cells, &error))
        fail_msg("%s: %s", question->name, error.text);
    assert_in_range(tensor_size(&cells->answer->value), 1, LEARNER_MAX_CELLS);
}

static bool is_near(float a, float b, double within)
{
    double most = within * fmax(1, fabs((double)b));
    return fabs((double)a - (double)b) <= most || (isnan(a) && isnan(b)) || (isinf(a) && a == b);
}

/* The cells that are asked for, the first time all, then those that were wrong: Enter leads from
 * each to the next. */
static void give_matrix(struct learner *learner, const struct question *question,
                        const char *expression)
{
    struct value value;
    struct question_cells cells;
    double within = question->within > 0 ? question->within : QUESTION_WITHIN;
    with_cells(learner, question, &cells);
    const struct tensor *given = value_of(learner, expression, &value);
    for (size_t i = 0; i < tensor_size(&cells.answer->value); i++) {
        char digits[48];
        bool is_asked = false;
        for (size_t k = 0; k < cells.n; k++)
            is_asked = is_asked || cells.positions[k] == i;
        float right = tensor_at_position(&cells.answer->value, i);
        if (!is_asked || (learner->n_given > 0 && is_near(learner->cells[i], right, within)))
            continue;
        learner->cells[i] = tensor_at_position(given, i);
        write_number(learner->cells[i], digits);
        screen_type(&screen, digits);
        enter();
    }
    value_release(&value);
    question_cells_release(&cells);
}

/* ---- tables: cells that are pointed at, masks, changes ---- */

static void press_times(VTermKey key, size_t times)
{
    screen_press_times(&screen, key, (unsigned)times);
}

/* Up and down by rows, left and right within one. */
static void go_to_cell(struct learner *learner, size_t position, size_t n_cols)
{
    size_t row = position / n_cols, col = position % n_cols;
    size_t from_row = learner->at / n_cols, from_col = learner->at % n_cols;
    press_times(VTERM_KEY_DOWN, row > from_row ? row - from_row : 0);
    press_times(VTERM_KEY_UP, row < from_row ? from_row - row : 0);
    press_times(VTERM_KEY_RIGHT, col > from_col ? col - from_col : 0);
    press_times(VTERM_KEY_LEFT, col < from_col ? from_col - col : 0);
    learner->at = position;
}

static size_t cols_of(const struct tensor *matrix)
{
    return matrix->n_axes > 0 ? matrix->shape[matrix->n_axes - 1] : 1;
}

/* Which cells an expression of a cell question means: as it writes them, "0, 1; 2, 0". */
static void read_points(struct learner *learner, const struct question *question,
                        const char *expression, const struct tensor *matrix, bool *is_meant)
{
    struct error error;
    struct text text = {0};
    struct question_sessions sessions = {&learner->session, &learner->session, NULL};
    size_t size = tensor_size(matrix);
    if (!question_write_cells(question, &sessions, expression, &text, &error))
        fail_msg("%s: %s", question->name, error.text);
    memset(is_meant, 0, size * sizeof *is_meant);
    for (const char *at = text_string(&text); at != NULL && *at != '\0';) {
        size_t index[TENSOR_MAX_AXES] = {0};
        for (unsigned axis = 0; axis < matrix->n_axes; axis++) {
            char *end;
            index[axis] = strtoul(at, &end, 10);
            at = end + strspn(end, ", ");
        }
        is_meant[tensor_position_of(matrix, index)] = true;
        at += strspn(at, "; ");
    }
    text_release(&text);
}

/* The cell under the cursor answers; where several are asked for, Space marks each. */
static void give_points(struct learner *learner, const struct question *question,
                        const char *expression)
{
    struct question_cells cells;
    bool is_meant[LEARNER_MAX_CELLS];
    struct question_sessions sessions = {&learner->session, &learner->session, NULL};
    bool several = question_count_points(question, &sessions) > 1;
    with_cells(learner, question, &cells);
    size_t n = tensor_size(&cells.answer->value), n_cols = cols_of(&cells.answer->value), at = 0;
    read_points(learner, question, expression, &cells.answer->value, is_meant);
    if (learner->n_given == 0) { /* the first arrow tells that somebody points */
        press(VTERM_KEY_RIGHT);
        press(VTERM_KEY_LEFT);
    }
    for (size_t i = 0; several && i < n; i++) {
        bool is_marked = learner->n_given > 0 && learner->cells[i] != 0;
        learner->cells[i] = is_meant[i];
        if (is_marked == is_meant[i])
            continue;
        go_to_cell(learner, i, n_cols);
        screen_type(&screen, " ");
    }
    while (at < n && !is_meant[at])
        at++;
    if (!several)
        go_to_cell(learner, at, n_cols);
    question_cells_release(&cells);
    enter();
}

/* 1 and 0 fill the cells, one after the other, from the first. */
static void give_mask(struct learner *learner, const char *expression)
{
    struct value value;
    const struct tensor *mask = value_of(learner, expression, &value);
    size_t n = tensor_size(mask);
    if (learner->n_given > 0) {
        press_times(VTERM_KEY_UP, n / cols_of(mask) - 1);
        press(VTERM_KEY_HOME);
    }
    for (size_t i = 0; i < n; i++)
        screen_type(&screen, tensor_at_position(mask, i) != 0 ? "1" : "0");
    value_release(&value);
    enter();
}

/* Which of the numbers that may change it is that "X[2, 0] " names: of all of them in order. */
static size_t find_number(struct learner *learner, const struct question *question,
                          const char *name)
{
    static const float mark = 12345.5f;
    struct question_inputs inputs;
    struct question_sessions sessions = {&learner->session, &learner->session, NULL};
    struct error error;
    struct text line = {0};
    size_t n = 0, found = SIZE_MAX;
    text_format(&line, "%s= %g\n", name, (double)mark);
    assert_true(question_inputs(question, &sessions, &inputs, &error));
    for (size_t i = 0; i < inputs.n; i++) {
        const struct question_input *input = &inputs.items[i];
        struct value value;
        if (!session_peek(&learner->session, text_string(&line), input->name, &value, &error))
            fail_msg("%s: %s", name, error.text);
        for (size_t k = 0; k < tensor_size(&input->value->value); k++) {
            if (tensor_at_position(&value.as.node->value, k) == mark)
                found = n;
            n += input->may_change[k];
        }
        value_release(&value);
    }
    question_inputs_release(&inputs);
    text_release(&line);
    assert_int_not_equal(found, SIZE_MAX);
    return found;
}

/* "X[2, 0] = 1.5; b = 2": goes to each number with Tab, and types the new one. */
static void give_change(struct learner *learner, const struct question *question,
                        const char *changes)
{
    while (*changes != '\0') {
        struct text name = {0}, number = {0};
        size_t size = strcspn(changes, ";"), equals = strcspn(changes, "=");
        size_t begin = equals + 1 + strspn(changes + equals + 1, " ");
        text_add(&name, changes, equals);
        text_add(&number, changes + begin, size - begin);
        size_t to = find_number(learner, question, text_string(&name));
        for (; learner->at < to; learner->at++)
            press(VTERM_KEY_TAB);
        for (; learner->at > to; learner->at--)
            screen_press(&screen, VTERM_KEY_TAB, VTERM_MOD_SHIFT);
        screen_type(&screen, text_string(&number));
        text_release(&name);
        text_release(&number);
        changes += size + strspn(changes + size, "; ");
    }
    enter();
}

/* ---- texts ---- */

static void give_text(struct learner *learner, const char *text)
{
    if (learner->n_given > 0) { /* what was wrong stands there */
        press(VTERM_KEY_END);
        screen_type(&screen, CTRL_U);
    }
    for (; *text != '\0'; text++)
        screen_type(&screen, (char[]){*text == '\n' ? ' ' : *text, '\0'});
    enter();
}

/* ---- any answer ---- */

void give_answer(struct learner *learner, const struct question *question, const char *expression)
{
    switch (question->kind) {
    case QUESTION_NUMBER:
        give_number(learner, expression);
        break;
    case QUESTION_PREDICT:
        if (question->n_options == 0)
            give_number(learner, expression);
        else
            give_options(learner, expression, false);
        break;
    case QUESTION_CHOICE:
        give_options(learner, expression, false);
        break;
    case QUESTION_ORDER:
        give_order(learner, question, expression);
        break;
    case QUESTION_MATRIX:
        give_matrix(learner, question, expression);
        break;
    case QUESTION_CELL:
        give_points(learner, question, expression);
        break;
    case QUESTION_MASK:
        give_mask(learner, expression);
        break;
    case QUESTION_CHANGE:
        give_change(learner, question, expression);
        break;
    default:
        give_text(learner, expression);
        break;
    }
    learner->n_given++;
}

/* ---- wrong answers ---- */

/* An answer as it is judged. */
static void write_answer(struct learner *learner, const struct question *question,
                         const char *expression, struct text *out)
{
    struct error error;
    struct question_cells cells;
    bool is_meant[LEARNER_MAX_CELLS];
    struct question_sessions sessions = {&learner->session, &learner->session, NULL};
    if (question->kind != QUESTION_CELL) {
        text_put(out, expression);
    } else if (question_count_points(question, &sessions) > 1) {
        assert_true(question_write_cells(question, &sessions, expression, out, &error));
    } else { /* the first of them */
        size_t at = 0;
        with_cells(learner, question, &cells);
        read_points(learner, question, expression, &cells.answer->value, is_meant);
        while (!is_meant[at])
            at++;
        size_t index[TENSOR_MAX_AXES];
        tensor_index_of(&cells.answer->value, at, index);
        for (unsigned axis = 0; axis < cells.answer->value.n_axes; axis++)
            text_format(out, "%s%zu", axis > 0 ? ", " : "", index[axis]);
        question_cells_release(&cells);
    }
}

/* Whether it is judged, and not right. */
static bool is_wrong(struct learner *learner, const struct question *question,
                     const char *expression)
{
    struct error error;
    struct judged judged;
    struct text text = {0};
    struct question_sessions sessions = {&learner->session, &learner->session, NULL};
    write_answer(learner, question, expression, &text);
    bool wrong = question_judge(question, &sessions, text_string(&text), &judged, &error) &&
                 !judged.right && !judged.is_unfinished;
    text_release(&text);
    return wrong;
}

/* The right change, of nearly nothing: "X[2, 0] = 0.9310". */
static void write_small_change(struct learner *learner, const struct question *question,
                               struct text *out)
{
    struct value value;
    struct text name = {0};
    const char *answer = question->answer.text;
    text_add(&name, answer, strcspn(answer, "="));
    float number = tensor_at_position(value_of(learner, text_string(&name), &value), 0);
    text_format(out, "%s= %.4f", text_string(&name), (double)number + 0.001);
    value_release(&value);
    text_release(&name);
}

bool write_wrong(struct learner *learner, const struct question *question, struct text *out)
{
    if (question->kind == QUESTION_CHANGE) { /* what a change brings about is foreseen, not it */
        write_small_change(learner, question, out);
        return is_wrong(learner, question, text_string(out));
    }
    for (unsigned i = 0; question_is_judged(question->kind) && i < question->n_wrong; i++)
        if (is_wrong(learner, question, question->wrong[i].is.text)) {
            text_put(out, question->wrong[i].is.text);
            return true;
        }
    return false;
}
