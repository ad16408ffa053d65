/* The answer under way: options, steps, and what is typed. See lesson_pane_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/node.h"
#include "tensor/tensor.h"
#include "ui/panes/lesson/lesson_pane_internal.h"

/* What the number of columns of an option is below the pane's: "> 1 [x] ". */
enum { OPTION_COLS = 8, OPTION_MIN_COLS = 20 };

static const char answer_word[] = "answer ";

/* The question. */

/* How many of the options are right is no secret: a question for several asks for all of them. */
static bool takes_several(struct lesson_pane *pane)
{
    struct value value;
    struct error ignored;
    const struct question *question = lesson_pane_question(pane);
    if (question->kind != QUESTION_CHOICE ||
        !session_peek(&pane->tutor->player->reference.session, NULL, question->answer.text, &value,
                      &ignored))
        return false;
    bool several = value.kind != VALUE_NODE || tensor_size(&value.as.node->value) != 1;
    value_release(&value);
    return several;
}

static enum lesson_pane_ask ask_of(struct lesson_pane *pane)
{
    const struct question *question = lesson_pane_question(pane);
    if (question == NULL)
        return LESSON_PANE_ASKS_NOTHING;
    switch (question->kind) {
    case QUESTION_CHOICE:
        return takes_several(pane) ? LESSON_PANE_ASKS_SEVERAL : LESSON_PANE_ASKS_ONE;
    case QUESTION_PREDICT:
        return question->n_options > 0 ? LESSON_PANE_ASKS_ONE : LESSON_PANE_ASKS_NUMBER;
    case QUESTION_ORDER:
        return LESSON_PANE_ASKS_ORDER;
    case QUESTION_MATRIX:
        return LESSON_PANE_ASKS_CELLS;
    case QUESTION_FORMULA:
    case QUESTION_REFLECTION:
        return LESSON_PANE_ASKS_TEXT;
    case QUESTION_EXERCISE:
        return LESSON_PANE_ASKS_EXERCISE;
    default:
        return LESSON_PANE_ASKS_NUMBER;
    }
}

static void free_options(struct lesson_pane_option *options, size_t n)
{
    for (size_t i = 0; i < n; i++)
        doc_release(&options[i].text);
    free(options);
}

void lesson_pane_release_options(struct lesson_pane *pane)
{
    free_options(pane->options, pane->n_options);
    pane->options = NULL;
    pane->n_options = pane->option = 0;
}

static size_t option_cols(const struct lesson_pane *pane)
{
    size_t cols = lesson_pane_text_cols(pane);
    return cols > OPTION_COLS + OPTION_MIN_COLS ? cols - OPTION_COLS : OPTION_MIN_COLS;
}

/* Shows options[0..n) by their numbers; on failure those that were shown stay to be released. */
static bool show_options(struct lesson_pane *pane, struct lesson_pane_option *options, size_t n,
                         struct error *reterr)
{
    for (size_t i = 0; i < n; i++)
        if (!player_show_option(pane->tutor->player, options[i].item, option_cols(pane),
                                &options[i].text, reterr))
            return false;
    return true;
}

/* Puts fresh options, n of them, in the place of the old ones; takes them over also on failure. */
static bool take_options(struct lesson_pane *pane, struct lesson_pane_option *options, size_t n,
                         struct error *reterr)
{
    for (size_t i = 0; i < n; i++)
        doc_init(&options[i].text);
    if (!show_options(pane, options, n, reterr)) {
        free_options(options, n);
        return false;
    }
    free_options(pane->options, pane->n_options);
    pane->options = options;
    pane->n_options = n;
    return true;
}

bool lesson_pane_show_options(struct lesson_pane *pane, struct error *reterr)
{
    size_t n = pane->n_options;
    if (n == 0)
        return true;
    if (lesson_pane_question(pane) == NULL) { /* the page has them itself */
        lesson_pane_release_options(pane);
        return true;
    }
    struct lesson_pane_option *options = calloc(n, sizeof *options);
    if (options == NULL)
        return error_memory(reterr, "a question's options");
    memcpy(options, pane->options, n * sizeof *options);
    return take_options(pane, options, n, reterr);
}

static bool read_options(struct lesson_pane *pane, struct error *reterr)
{
    const struct question *question = lesson_pane_question(pane);
    size_t n = question != NULL ? question->n_options : 0;
    if (n == 0) {
        lesson_pane_release_options(pane);
        return true;
    }
    struct lesson_pane_option *options = calloc(n, sizeof *options);
    if (options == NULL)
        return error_memory(reterr, "a question's options");
    for (size_t i = 0; i < n; i++)
        options[i].item = i;
    return take_options(pane, options, n, reterr);
}

bool lesson_pane_start_question(struct lesson_pane *pane, struct error *reterr)
{
    if (!read_options(pane, reterr))
        return false;
    pane->ask = ask_of(pane);
    pane->option = 0;
    pane->touched = false;
    pane->types = false;
    pane->field = (struct field){.size = 0};
    if (pane->ask == LESSON_PANE_ASKS_CELLS)
        lesson_pane_start_cells(pane);
    return true;
}

/* The cursor. */

bool lesson_pane_sees_cursor(const struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    size_t rows = lesson_pane_text_rows(pane);
    lesson_pane_compose(pane, false, &lines);
    bool sees = lines.cursor >= pane->scroll && lines.cursor < pane->scroll + rows;
    bool has = lines.cursor_end > lines.cursor;
    doc_release(&lines.doc);
    return sees || !has;
}

static void show_cursor(struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, false, &lines);
    lesson_pane_show_lines(pane, lines.cursor, lines.cursor_end);
    doc_release(&lines.doc);
}

static bool move_option(struct lesson_pane *pane, int by)
{
    size_t to = pane->option + (size_t)by;
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING || to >= pane->n_options)
        return false;
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_ONE && pane->options[pane->option].picked)
        lesson_pane_choose(pane, to);
    pane->option = to;
    return true;
}

void lesson_pane_move(struct lesson_pane *pane, int by)
{
    bool moved = false;
    if (lesson_pane_lists(pane) && lesson_pane_sees_cursor(pane))
        moved = move_option(pane, by);
    else if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_CELLS && lesson_pane_sees_cursor(pane))
        moved = lesson_pane_step_row(pane, by);
    pane->touched = pane->touched || moved;
    if (moved)
        show_cursor(pane);
    else
        lesson_pane_scroll(pane, by);
}

/* Options and steps. */

static void unpick_all(struct lesson_pane *pane)
{
    for (size_t i = 0; i < pane->n_options; i++)
        pane->options[i].picked = false;
}

void lesson_pane_pick(struct lesson_pane *pane)
{
    struct lesson_pane_option *option = &pane->options[pane->option];
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    pane->touched = true;
    if (ask == LESSON_PANE_ASKS_ONE) {
        unpick_all(pane);
        option->picked = true;
    } else if (ask == LESSON_PANE_ASKS_SEVERAL) {
        option->picked = !option->picked;
    }
}

void lesson_pane_choose(struct lesson_pane *pane, size_t to)
{
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING || to >= pane->n_options)
        return;
    pane->option = to;
    lesson_pane_pick(pane);
    show_cursor(pane);
}

void lesson_pane_carry(struct lesson_pane *pane, int by)
{
    size_t at = pane->option, to = at + (size_t)by;
    if (lesson_pane_ask(pane) != LESSON_PANE_ASKS_ORDER || to >= pane->n_options)
        return;
    struct lesson_pane_option carried = pane->options[at];
    pane->options[at] = pane->options[to];
    pane->options[to] = carried;
    pane->touched = true;
    pane->option = to;
    show_cursor(pane);
}

/* Giving it. */

static void wish_text(struct lesson_pane *pane, struct text *line)
{
    struct error error;
    if (line->failed) {
        error_memory(&error, "an answer");
        lesson_pane_say_error(pane, &error);
    } else {
        lesson_pane_ask_for(pane, text_string(line));
    }
    text_release(line);
}

/* The numbers of the options that are picked, or of all steps as they stand. */
static void give_options(struct lesson_pane *pane)
{
    struct text line = {0};
    size_t n = 0;
    text_put(&line, "answer");
    for (size_t i = 0; i < pane->n_options; i++)
        if (pane->options[i].picked || lesson_pane_ask(pane) == LESSON_PANE_ASKS_ORDER) {
            text_format(&line, " %zu", pane->options[i].item + 1);
            n++;
        }
    if (n > 0) {
        wish_text(pane, &line);
        return;
    }
    text_release(&line);
    pane->waits = true;
    show_cursor(pane);
}

static void give_field(struct lesson_pane *pane)
{
    struct text line = {0};
    text_put(&line, answer_word);
    text_put(&line, pane->field.text);
    memcpy(pane->given, pane->field.text, sizeof pane->given);
    pane->types = false;
    wish_text(pane, &line);
}

/* Brings the question into sight; true where it was not wholly there. */
static bool shows_question(struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, false, &lines);
    bool seen = lines.answer_end <= pane->scroll + lesson_pane_text_rows(pane);
    if (!seen)
        lesson_pane_show_lines(pane, lines.question, lines.answer_end);
    doc_release(&lines.doc);
    return !seen;
}

void lesson_pane_give(struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    if (!pane->types && shows_question(pane))
        return;
    if (lesson_pane_lists(pane) && !pane->touched) { /* nobody answers by reading on */
        pane->waits = pane->touched = true;
        return;
    }
    if (ask == LESSON_PANE_ASKS_ONE)
        lesson_pane_choose(pane, pane->option);
    pane->given[0] = '\0';
    if (ask == LESSON_PANE_ASKS_CELLS)
        lesson_pane_give_cells(pane);
    else if (!lesson_pane_has_field(pane))
        give_options(pane);
    else if (pane->types && pane->field.size > 0)
        give_field(pane);
    else
        pane->types = true;
}

/* What comes of it. */

void lesson_pane_settle(struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    if (lesson_pane_question(pane) == NULL)
        return;
    bool counted = player->state.n_wrong > pane->n_wrong;
    if (pane->ask == LESSON_PANE_ASKS_ONE && counted)
        pane->options[pane->option].tried = true;
    if (pane->ask == LESSON_PANE_ASKS_CELLS)
        lesson_pane_judge_cells(pane);
    if (pane->ask == LESSON_PANE_ASKS_NUMBER && counted)
        pane->field = (struct field){.size = 0}; /* the next one is another */
    else if (pane->ask == LESSON_PANE_ASKS_NUMBER)
        pane->types = true; /* right as far as it goes */
}

void lesson_pane_point_at(struct lesson_pane *pane, size_t at)
{
    size_t begin = sizeof answer_word - 1;
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_CELLS) {
        lesson_pane_point_at_cell(pane, at);
    } else if (lesson_pane_has_field(pane)) {
        at = at > begin ? at - begin : 0;
        pane->field.cursor = at < pane->field.size ? at : pane->field.size;
        pane->types = true;
    }
}

/* Keys. */

static bool is_printable(int key)
{
    char bytes[KEY_BYTES];
    return key >= ' ' && key != KEYCODE_BACKSPACE && key_bytes(key, bytes) > 0;
}

bool lesson_pane_begins_number(int key)
{
    return key > 0 && key < 127 && strchr("0123456789.-+(", key) != NULL;
}

/* Escape takes a number back; words stay, and letters are keys again. */
static bool leave_field(struct lesson_pane *pane)
{
    bool typed = pane->types;
    pane->types = false;
    if (pane->ask == LESSON_PANE_ASKS_NUMBER)
        pane->field = (struct field){.size = 0};
    return typed;
}

static bool type_key(struct lesson_pane *pane, int key)
{
    if (key == KEYCODE_ESCAPE)
        return leave_field(pane);
    if (!pane->types && !(pane->ask == LESSON_PANE_ASKS_NUMBER && lesson_pane_begins_number(key)))
        return false;
    if (!pane->types && !is_printable(key))
        return false;
    pane->types = true;
    bool taken = field_key(&pane->field, key) != FIELD_IGNORED;
    if (taken && pane->ask == LESSON_PANE_ASKS_NUMBER && pane->field.size == 0)
        pane->types = false;
    return taken;
}

bool lesson_pane_key(void *state, int key)
{
    struct lesson_pane *pane = state;
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    bool taken = false;
    if (ask == LESSON_PANE_ASKS_CELLS)
        taken = lesson_pane_cell_key(pane, key);
    else if (lesson_pane_has_field(pane))
        taken = type_key(pane, key);
    else if ((ask == LESSON_PANE_ASKS_ONE || ask == LESSON_PANE_ASKS_SEVERAL) && key >= '1' &&
             key <= '9' && (size_t)(key - '1') < pane->n_options) {
        lesson_pane_choose(pane, (size_t)(key - '1'));
        taken = true;
    }
    pane->waits = pane->waits && !taken;
    return taken;
}
