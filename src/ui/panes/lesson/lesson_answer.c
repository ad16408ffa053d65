/* The answer under way: options, steps, and what is typed. See reader_parts.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panes/lesson/lesson_pane_internal.h"

/* What the number of columns of an option is below the pane's: "> 1 [x] ". */
enum { OPTION_COLS = 8, OPTION_MIN_COLS = 20 };

static const char answer_word[] = "answer ";

/* The question. */

/* How many of the options are right is no secret: a question for several asks for all of them. */
static bool takes_several(struct reader *reader)
{
    struct value value;
    struct error ignored;
    const struct question *question = reader_question(reader);
    if (question->kind != QUESTION_CHOICE ||
        !session_peek(&reader->tutor->player->own, NULL, question->answer.text, &value, &ignored))
        return false;
    bool several = value.kind != VALUE_NODE || tensor_size(&value.as.node->value) != 1;
    value_release(&value);
    return several;
}

static enum reader_ask ask_of(struct reader *reader)
{
    const struct question *question = reader_question(reader);
    if (question == NULL)
        return READER_ASKS_NOTHING;
    switch (question->kind) {
    case QUESTION_CHOICE:
        return takes_several(reader) ? READER_ASKS_SEVERAL : READER_ASKS_ONE;
    case QUESTION_PREDICT:
        return question->n_options > 0 ? READER_ASKS_ONE : READER_ASKS_NUMBER;
    case QUESTION_ORDER:
        return READER_ASKS_ORDER;
    case QUESTION_MATRIX:
        return READER_ASKS_CELLS;
    case QUESTION_FORMULA:
    case QUESTION_REFLECTION:
        return READER_ASKS_TEXT;
    case QUESTION_EXERCISE:
        return READER_ASKS_EXERCISE;
    default:
        return READER_ASKS_NUMBER;
    }
}

static void free_options(struct reader_option *options, size_t n)
{
    for (size_t i = 0; i < n; i++)
        doc_release(&options[i].text);
    free(options);
}

void reader_release_options(struct reader *reader)
{
    free_options(reader->options, reader->n_options);
    reader->options = NULL;
    reader->n_options = reader->option = 0;
}

static size_t option_cols(const struct reader *reader)
{
    size_t cols = reader_text_cols(reader);
    return cols > OPTION_COLS + OPTION_MIN_COLS ? cols - OPTION_COLS : OPTION_MIN_COLS;
}

/* Shows options[0..n) by their numbers; on failure those that were shown stay to be released. */
static bool show_options(struct reader *reader, struct reader_option *options, size_t n,
                         struct error *reterr)
{
    for (size_t i = 0; i < n; i++)
        if (!player_show_option(reader->tutor->player, options[i].item, option_cols(reader),
                                &options[i].text, reterr))
            return false;
    return true;
}

/* Puts fresh options, n of them, in the place of the old ones; takes them over also on failure. */
static bool take_options(struct reader *reader, struct reader_option *options, size_t n,
                         struct error *reterr)
{
    for (size_t i = 0; i < n; i++)
        doc_init(&options[i].text);
    if (!show_options(reader, options, n, reterr)) {
        free_options(options, n);
        return false;
    }
    free_options(reader->options, reader->n_options);
    reader->options = options;
    reader->n_options = n;
    return true;
}

bool reader_show_options(struct reader *reader, struct error *reterr)
{
    size_t n = reader->n_options;
    if (n == 0)
        return true;
    if (reader_question(reader) == NULL) { /* the page has them itself */
        reader_release_options(reader);
        return true;
    }
    struct reader_option *options = calloc(n, sizeof *options);
    if (options == NULL)
        return error_memory(reterr, "a question's options");
    memcpy(options, reader->options, n * sizeof *options);
    return take_options(reader, options, n, reterr);
}

static bool read_options(struct reader *reader, struct error *reterr)
{
    const struct question *question = reader_question(reader);
    size_t n = question != NULL ? question->n_options : 0;
    if (n == 0) {
        reader_release_options(reader);
        return true;
    }
    struct reader_option *options = calloc(n, sizeof *options);
    if (options == NULL)
        return error_memory(reterr, "a question's options");
    for (size_t i = 0; i < n; i++)
        options[i].item = i;
    return take_options(reader, options, n, reterr);
}

bool reader_start_question(struct reader *reader, struct error *reterr)
{
    if (!read_options(reader, reterr))
        return false;
    reader->ask = ask_of(reader);
    reader->option = 0;
    reader->touched = false;
    reader->types = false;
    reader->field = (struct field){.size = 0};
    if (reader->ask == READER_ASKS_CELLS)
        reader_start_cells(reader);
    return true;
}

/* The cursor. */

bool reader_sees_cursor(const struct reader *reader)
{
    struct reader_lines lines;
    size_t rows = reader_text_rows(reader);
    reader_compose(reader, false, &lines);
    bool sees = lines.cursor >= reader->scroll && lines.cursor < reader->scroll + rows;
    bool has = lines.cursor_end > lines.cursor;
    doc_release(&lines.doc);
    return sees || !has;
}

static void show_cursor(struct reader *reader)
{
    struct reader_lines lines;
    reader_compose(reader, false, &lines);
    reader_show_lines(reader, lines.cursor, lines.cursor_end);
    doc_release(&lines.doc);
}

static bool move_option(struct reader *reader, int by)
{
    size_t to = reader->option + (size_t)by;
    if (reader_ask(reader) == READER_ASKS_NOTHING || to >= reader->n_options)
        return false;
    if (reader_ask(reader) == READER_ASKS_ONE && reader->options[reader->option].picked)
        reader_choose(reader, to);
    reader->option = to;
    return true;
}

void reader_move(struct reader *reader, int by)
{
    bool moved = false;
    if (reader_lists(reader) && reader_sees_cursor(reader))
        moved = move_option(reader, by);
    else if (reader_ask(reader) == READER_ASKS_CELLS && reader_sees_cursor(reader))
        moved = reader_step_row(reader, by);
    reader->touched = reader->touched || moved;
    if (moved)
        show_cursor(reader);
    else
        reader_scroll(reader, by);
}

/* Options and steps. */

static void unpick_all(struct reader *reader)
{
    for (size_t i = 0; i < reader->n_options; i++)
        reader->options[i].picked = false;
}

void reader_pick(struct reader *reader)
{
    struct reader_option *option = &reader->options[reader->option];
    enum reader_ask ask = reader_ask(reader);
    reader->touched = true;
    if (ask == READER_ASKS_ONE) {
        unpick_all(reader);
        option->picked = true;
    } else if (ask == READER_ASKS_SEVERAL) {
        option->picked = !option->picked;
    }
}

void reader_choose(struct reader *reader, size_t to)
{
    if (reader_ask(reader) == READER_ASKS_NOTHING || to >= reader->n_options)
        return;
    reader->option = to;
    reader_pick(reader);
    show_cursor(reader);
}

void reader_carry(struct reader *reader, int by)
{
    size_t at = reader->option, to = at + (size_t)by;
    if (reader_ask(reader) != READER_ASKS_ORDER || to >= reader->n_options)
        return;
    struct reader_option carried = reader->options[at];
    reader->options[at] = reader->options[to];
    reader->options[to] = carried;
    reader->touched = true;
    reader->option = to;
    show_cursor(reader);
}

/* Giving it. */

static void wish_text(struct reader *reader, struct text *line)
{
    struct error error;
    if (line->failed) {
        error_memory(&error, "an answer");
        reader_say_error(reader, &error);
    } else {
        reader_wish(reader, text_string(line));
    }
    text_release(line);
}

/* The numbers of the options that are picked, or of all steps as they stand. */
static void give_options(struct reader *reader)
{
    struct text line = {0};
    size_t n = 0;
    text_put(&line, "answer");
    for (size_t i = 0; i < reader->n_options; i++)
        if (reader->options[i].picked || reader_ask(reader) == READER_ASKS_ORDER) {
            text_format(&line, " %zu", reader->options[i].item + 1);
            n++;
        }
    if (n > 0) {
        wish_text(reader, &line);
        return;
    }
    text_release(&line);
    reader->waits = true;
    show_cursor(reader);
}

static void give_field(struct reader *reader)
{
    struct text line = {0};
    text_put(&line, answer_word);
    text_put(&line, reader->field.text);
    memcpy(reader->given, reader->field.text, sizeof reader->given);
    reader->types = false;
    wish_text(reader, &line);
}

/* Brings the question into sight; true where it was not wholly there. */
static bool shows_question(struct reader *reader)
{
    struct reader_lines lines;
    reader_compose(reader, false, &lines);
    bool seen = lines.answer_end <= reader->scroll + reader_text_rows(reader);
    if (!seen)
        reader_show_lines(reader, lines.question, lines.answer_end);
    doc_release(&lines.doc);
    return !seen;
}

void reader_give(struct reader *reader)
{
    enum reader_ask ask = reader_ask(reader);
    if (!reader->types && shows_question(reader))
        return;
    if (reader_lists(reader) && !reader->touched) { /* nobody answers by reading on */
        reader->waits = reader->touched = true;
        return;
    }
    if (ask == READER_ASKS_ONE)
        reader_choose(reader, reader->option);
    reader->given[0] = '\0';
    if (ask == READER_ASKS_CELLS)
        reader_give_cells(reader);
    else if (!reader_has_field(reader))
        give_options(reader);
    else if (reader->types && reader->field.size > 0)
        give_field(reader);
    else
        reader->types = true;
}

/* What comes of it. */

void reader_settle(struct reader *reader)
{
    const struct player *player = reader->tutor->player;
    if (reader_question(reader) == NULL)
        return;
    bool counted = player->state.n_wrong > reader->n_wrong;
    if (reader->ask == READER_ASKS_ONE && counted)
        reader->options[reader->option].tried = true;
    if (reader->ask == READER_ASKS_CELLS)
        reader_judge_cells(reader);
    if (reader->ask == READER_ASKS_NUMBER && counted)
        reader->field = (struct field){.size = 0}; /* the next one is another */
    else if (reader->ask == READER_ASKS_NUMBER)
        reader->types = true; /* right as far as it goes */
}

void reader_point_at(struct reader *reader, size_t at)
{
    size_t begin = sizeof answer_word - 1;
    if (reader_ask(reader) == READER_ASKS_CELLS) {
        reader_point_at_cell(reader, at);
    } else if (reader_has_field(reader)) {
        at = at > begin ? at - begin : 0;
        reader->field.cursor = at < reader->field.size ? at : reader->field.size;
        reader->types = true;
    }
}

/* Keys. */

static bool is_printable(int key)
{
    char bytes[KEY_BYTES];
    return key >= ' ' && key != KEY_BACKSPACE_ && key_bytes(key, bytes) > 0;
}

bool reader_begins_number(int key)
{
    return key > 0 && key < 127 && strchr("0123456789.-+(", key) != NULL;
}

/* Escape takes a number back; words stay, and letters are keys again. */
static bool leave_field(struct reader *reader)
{
    bool typed = reader->types;
    reader->types = false;
    if (reader->ask == READER_ASKS_NUMBER)
        reader->field = (struct field){.size = 0};
    return typed;
}

static bool type_key(struct reader *reader, int key)
{
    if (key == KEY_ESCAPE)
        return leave_field(reader);
    if (!reader->types && !(reader->ask == READER_ASKS_NUMBER && reader_begins_number(key)))
        return false;
    if (!reader->types && !is_printable(key))
        return false;
    reader->types = true;
    bool taken = field_key(&reader->field, key) != FIELD_IGNORED;
    if (taken && reader->ask == READER_ASKS_NUMBER && reader->field.size == 0)
        reader->types = false;
    return taken;
}

bool reader_key(struct reader *reader, int key)
{
    enum reader_ask ask = reader_ask(reader);
    bool taken = false;
    if (ask == READER_ASKS_CELLS)
        taken = reader_cell_key(reader, key);
    else if (reader_has_field(reader))
        taken = type_key(reader, key);
    else if ((ask == READER_ASKS_ONE || ask == READER_ASKS_SEVERAL) && key >= '1' && key <= '9' &&
             (size_t)(key - '1') < reader->n_options) {
        reader_choose(reader, (size_t)(key - '1'));
        taken = true;
    }
    reader->waits = reader->waits && !taken;
    return taken;
}
