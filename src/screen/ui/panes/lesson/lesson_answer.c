/* The answer under way: options, steps, and what is typed. See lesson_pane_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "graph/node.h"
#include "lang/builtins/builtin.h"
#include "shell/shell_block.h"
#include "tensor/tensor.h"
#include "ui/panes/lesson/lesson_pane_internal.h"
#include "ui/terminal/edit.h"

/* What stands before an option takes so many columns: "> 1 [x] ". */
enum { OPTION_COLS = 8, OPTION_MIN_COLS = 20 };

enum { CTRL_Y = 'Y' - '@' };

static const char answer_word[] = "answer ";

/* ---- the question ---- */

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

/* Nor is how many cells are. */
static bool takes_points(const struct lesson_pane *pane)
{
    struct player *player = pane->tutor->player;
    const struct question_sessions sessions = {.lesson = &player->reference.session,
                                               .learner = &player->learner.session};
    return question_count_points(lesson_pane_question(pane), &sessions) > 1;
}

static enum lesson_pane_ask ask_of(struct lesson_pane *pane)
{
    const struct question *question = lesson_pane_question(pane);
    if (question == NULL)
        return !lesson_pane_is_over(pane) && player_invites_lines(pane->tutor->player)
                   ? LESSON_PANE_ASKS_LINE
                   : LESSON_PANE_ASKS_NOTHING;
    switch (question->kind) {
    case QUESTION_CHOICE:
        return takes_several(pane) ? LESSON_PANE_ASKS_SEVERAL : LESSON_PANE_ASKS_ONE;
    case QUESTION_PREDICT:
        return question->n_options > 0 ? LESSON_PANE_ASKS_ONE : LESSON_PANE_ASKS_NUMBER;
    case QUESTION_ORDER:
        return LESSON_PANE_ASKS_ORDER;
    case QUESTION_MATRIX:
        return LESSON_PANE_ASKS_CELLS;
    case QUESTION_CELL:
        return takes_points(pane) ? LESSON_PANE_ASKS_POINTS : LESSON_PANE_ASKS_POINT;
    case QUESTION_MASK:
        return LESSON_PANE_ASKS_MASK;
    case QUESTION_CHANGE:
        return LESSON_PANE_ASKS_CHANGE;
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

/* Lays n options out for the pane's width: those that it has, or those of the file in their order.
 * On failure it keeps what it has. */
static bool lay_out_options(struct lesson_pane *pane, size_t n, bool of_file, struct error *reterr)
{
    size_t cols = lesson_pane_text_cols(pane);
    cols = cols > OPTION_COLS + OPTION_MIN_COLS ? cols - OPTION_COLS : OPTION_MIN_COLS;
    if (n == 0 || lesson_pane_question(pane) == NULL) { /* the page has them itself */
        lesson_pane_release_options(pane);
        return true;
    }
    struct lesson_pane_option *options = calloc(n, sizeof *options);
    bool ok = options != NULL || error_memory(reterr, "a question's options");
    for (size_t i = 0; options != NULL && i < n; i++) {
        if (of_file)
            options[i].item = i;
        else
            options[i] = pane->options[i];
        doc_init(&options[i].text);
        ok = ok && player_show_option(pane->tutor->player, options[i].item, cols, &options[i].text,
                                      reterr);
    }
    if (!ok) {
        free_options(options, options != NULL ? n : 0);
        return false;
    }
    free_options(pane->options, pane->n_options);
    pane->options = options;
    pane->n_options = n;
    return true;
}

bool lesson_pane_show_options(struct lesson_pane *pane, struct error *reterr)
{
    return pane->n_options == 0 || lay_out_options(pane, pane->n_options, false, reterr);
}

bool lesson_pane_start_question(struct lesson_pane *pane, struct error *reterr)
{
    const struct question *question = lesson_pane_question(pane);
    if (!lay_out_options(pane, question != NULL ? question->n_options : 0, true, reterr))
        return false;
    pane->ask = ask_of(pane);
    pane->option = 0;
    pane->touched = pane->is_left = pane->edits = pane->carries = false;
    pane->n_typed = 0;
    pane->last_key = KEYCODE_NONE;
    pane->field = (struct field){.size = 0};
    pane->slip = pane->slip_end = 0;
    memset(&pane->cleared, 0, sizeof pane->cleared);
    pane->tried[0] = pane->notice[0] = '\0';
    if (pane->ask == LESSON_PANE_ASKS_CELLS)
        lesson_pane_start_cells(pane);
    if (lesson_pane_has_points(pane))
        lesson_pane_start_points(pane);
    if (pane->ask == LESSON_PANE_ASKS_CHANGE && !lesson_pane_start_change(pane))
        pane->ask = LESSON_PANE_ASKS_TEXT;
    return true;
}

/* ---- the cursor ---- */

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

void lesson_pane_show_cursor(struct lesson_pane *pane)
{
    struct lesson_pane_lines lines;
    lesson_pane_compose(pane, false, &lines);
    size_t first = lines.cursor, end = lines.cursor_end;
    /* A table is seen whole where it fits, with the names of its columns; and so are steps, with
     * the order so far below them. */
    if ((lesson_pane_has_points(pane) || lesson_pane_ask(pane) == LESSON_PANE_ASKS_ORDER) &&
        lines.answer_end - lines.answer <= lesson_pane_text_rows(pane)) {
        first = lines.answer;
        end = lines.answer_end;
    }
    lesson_pane_show_lines(pane, first, end);
    doc_release(&lines.doc);
}

/* The first arrow puts the cursor on an option, down on the first: up leads to the text above. */
static bool move_option(struct lesson_pane *pane, int by)
{
    size_t to = pane->option + (size_t)by;
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING)
        return false;
    if (!lesson_pane_has_option_cursor(pane))
        return by > 0;
    if (to >= pane->n_options)
        return false;
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_ONE && pane->options[pane->option].picked)
        lesson_pane_choose_option(pane, to);
    pane->option = to;
    return true;
}

/* In the table of the answer. */
static bool step_row(struct lesson_pane *pane, int by)
{
    if (lesson_pane_has_points(pane))
        return lesson_pane_step_point_row(pane, by);
    return lesson_pane_ask(pane) == LESSON_PANE_ASKS_CHANGE ? lesson_pane_step_change_row(pane, by)
                                                            : lesson_pane_step_row(pane, by);
}

void lesson_pane_move_cursor(struct lesson_pane *pane, int by)
{
    bool moved = false;
    bool is_here = !pane->is_left && lesson_pane_sees_cursor(pane);
    if (pane->carries && lesson_pane_ask(pane) == LESSON_PANE_ASKS_ORDER) {
        lesson_pane_move_step(pane, by);
        return;
    }
    if (is_here && lesson_pane_has_options(pane))
        moved = move_option(pane, by);
    else if (is_here && lesson_pane_has_table(pane))
        moved = step_row(pane, by);
    pane->touched = pane->touched || moved;
    if (moved)
        lesson_pane_show_cursor(pane);
    else
        lesson_pane_scroll(pane, by);
}

/* ---- options and steps ---- */

void lesson_pane_pick_option(struct lesson_pane *pane)
{
    struct lesson_pane_option *option = &pane->options[pane->option];
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    pane->touched = true;
    if (ask == LESSON_PANE_ASKS_ONE) {
        for (size_t i = 0; i < pane->n_options; i++)
            pane->options[i].picked = false;
        option->picked = true;
    } else if (ask == LESSON_PANE_ASKS_SEVERAL) {
        option->picked = !option->picked;
    }
}

void lesson_pane_choose_option(struct lesson_pane *pane, size_t to)
{
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING || to >= pane->n_options)
        return;
    pane->option = to;
    pane->carries = false;
    lesson_pane_pick_option(pane);
    lesson_pane_show_cursor(pane);
}

/* ---- giving the answer ---- */

void lesson_pane_say_tried(struct lesson_pane *pane, const char *other)
{
    const struct question *question = lesson_pane_question(pane);
    unsigned n_given = pane->tutor->player->state.n_hints;
    if (n_given < question->n_hints)
        lesson_pane_notice(pane, "tried already: %s, or ^T for a hint (%u left)", other,
                           question->n_hints - n_given);
    else if (question->n_hints > 0)
        lesson_pane_notice(pane, "tried already: %s, or ^T for the answer", other);
    else
        lesson_pane_notice(pane, "tried already: %s", other);
}

void lesson_pane_give_line(struct lesson_pane *pane, struct text *line, const char *other)
{
    struct error error;
    if (line->failed) {
        error_memory(&error, "an answer");
        lesson_pane_say_error(pane, &error);
    } else if (strcmp(text_string(line), pane->tried) == 0) {
        lesson_pane_say_tried(pane, other);
    } else {
        (void)lesson_pane_ask_for(pane, text_string(line));
    }
    text_release(line);
}

/* The option after the cursor that was not tried yet, or the one under it. */
static size_t next_untried(const struct lesson_pane *pane)
{
    for (size_t i = 1; i < pane->n_options; i++) {
        size_t option = (pane->option + i) % pane->n_options;
        if (!pane->options[option].tried)
            return option;
    }
    return pane->option;
}

/* The numbers of the options that are picked, or of all steps as they stand. */
static void give_options(struct lesson_pane *pane)
{
    static const char *const others[] = {
        [LESSON_PANE_ASKS_ONE] = "another one",
        [LESSON_PANE_ASKS_SEVERAL] = "tick others",
        [LESSON_PANE_ASKS_ORDER] = "another order",
    };
    struct text line = {0};
    size_t n = 0;
    text_put(&line, "answer");
    for (size_t i = 0; i < pane->n_options; i++)
        if (pane->options[i].picked || lesson_pane_ask(pane) == LESSON_PANE_ASKS_ORDER) {
            text_format(&line, " %zu", pane->options[i].item + 1);
            n++;
        }
    if (n > 0) {
        lesson_pane_give_line(pane, &line, others[lesson_pane_ask(pane)]);
        return;
    }
    text_release(&line);
    pane->waits = true;
    lesson_pane_show_cursor(pane);
}

/* The option under the cursor. One that was wrong leads to the next that was not tried. */
static void give_option(struct lesson_pane *pane)
{
    if (!pane->options[pane->option].tried) {
        lesson_pane_choose_option(pane, pane->option);
        give_options(pane);
        return;
    }
    lesson_pane_say_tried(pane, "another one");
    pane->options[pane->option].picked = false;
    pane->option = next_untried(pane);
    lesson_pane_show_cursor(pane);
}

static void give_field(struct lesson_pane *pane)
{
    struct text line = {0};
    text_format(&line, "%s%s", answer_word, pane->field.text);
    memcpy(pane->given, pane->field.text, sizeof pane->given);
    lesson_pane_give_line(pane, &line, "another one");
}

void lesson_pane_give_answer(struct lesson_pane *pane)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    bool has_text = lesson_pane_has_field(pane) && strspn(pane->field.text, " ") < pane->field.size;
    if (pane->is_left) {
        pane->is_left = false;
        lesson_pane_show_cursor(pane);
        return;
    }
    if (!has_text && !pane->edits && !pane->touched && lesson_pane_read_to_question(pane))
        return;
    if (ask == LESSON_PANE_ASKS_ORDER && !lesson_pane_order_is_given(pane))
        return;
    if ((lesson_pane_has_options(pane) || lesson_pane_has_points(pane)) &&
        !pane->touched) { /* nobody answers by reading on */
        pane->waits = pane->touched = true;
        return;
    }
    pane->given[0] = '\0';
    if (ask == LESSON_PANE_ASKS_CELLS)
        lesson_pane_give_cells(pane);
    else if (lesson_pane_has_points(pane))
        lesson_pane_give_points(pane);
    else if (ask == LESSON_PANE_ASKS_CHANGE)
        lesson_pane_give_changes(pane);
    else if (ask == LESSON_PANE_ASKS_ONE)
        give_option(pane);
    else if (has_text)
        give_field(pane);
    else if (lesson_pane_has_field(pane))
        pane->waits = true;
    else
        give_options(pane);
}

/* ---- a line to run ---- */

bool lesson_pane_put_offered(const struct lesson_pane *pane, struct text *out)
{
    size_t size;
    const char *line = lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE
                           ? lesson_run_offered(&pane->tutor->player->learner, &size)
                           : NULL;
    for (size_t i = 0; line != NULL && i < size; i++) {
        bool breaks = line[i] == '\n' || line[i] == '\r';
        if (!breaks)
            text_char(out, line[i]);
        else if (out->size > 0 && out->bytes[out->size - 1] != ' ') /* a bracket is open */
            text_char(out, ' ');
        while (breaks && i + 1 < size && strchr(" \t\r\n", line[i + 1]) != NULL)
            i++;
    }
    while (out->size > 0 && out->bytes[out->size - 1] == ' ')
        text_shrink(out, out->size - 1);
    return line != NULL && !out->failed;
}

bool lesson_pane_give_line_to_run(struct lesson_pane *pane)
{
    struct text line = {0};
    struct shell_block block = {0};
    bool has_text = strspn(pane->field.text, " ") < pane->field.size;
    if (pane->is_left) {
        pane->is_left = false;
        return true;
    }
    if (!has_text && !player_is_offering(pane->tutor->player))
        return false;
    if (!has_text && lesson_pane_read_to_question(pane))
        return true;
    if (has_text) /* without a prompt that was copied with it */
        shell_block_begin(&block, pane->field.text, pane->field.size);
    const struct text *code = has_text ? shell_block_next(&block) : &line;
    bool has_line = has_text ? code != NULL : lesson_pane_put_offered(pane, &line);
    if (has_line && lesson_pane_ask_for(pane, text_string(code))) {
        snprintf(pane->given, sizeof pane->given, "%s", text_string(code));
        pane->field = (struct field){.size = 0}; /* a line that fails comes back */
        pane->slip = pane->slip_end = 0;
    }
    if (!has_line && (has_text || line.failed)) {
        struct error error;
        error_memory(&error, "a line to run");
        lesson_pane_say_error(pane, &error);
        has_line = true;
    }
    shell_block_release(&block);
    text_release(&line);
    return has_line;
}

void lesson_pane_paste_line(struct lesson_pane *pane, struct text *pasted)
{
    struct field *field = &pane->field;
    bool ends_row = pasted->size > 0 && pasted->bytes[pasted->size - 1] == '\n';
    const char *text = text_string(pasted);
    pane->is_left = false;
    pane->notice[0] = '\0';
    for (size_t i = 0; i < pasted->size; i++)
        pasted->bytes[i] = pasted->bytes[i] == '\t' ? ' ' : pasted->bytes[i];
    if (strcspn(text, "\n") + ends_row < pasted->size) {
        pane_request_set(&pane->request, PANE_PASTE, text);
        return;
    }
    pane->slip = pane->slip_end = 0;
    (void)field_replace(field, field->cursor, text, pasted->size - ends_row);
}

/* ---- after it was judged ---- */

void lesson_pane_forget_count(struct lesson_pane *pane)
{
    if (pane->tutor->player->only_counted && !pane->says_error)
        doc_clear(&pane->says);
}

void lesson_pane_mark_answer(struct lesson_pane *pane)
{
    const struct player *player = pane->tutor->player;
    if (lesson_pane_question(pane) == NULL)
        return;
    bool counted = player->state.n_wrong > pane->n_wrong;
    if (!counted)
        pane->tried[0] = '\0';
    if (pane->ask == LESSON_PANE_ASKS_ONE && counted)
        pane->options[pane->option].tried = true;
    if (pane->ask == LESSON_PANE_ASKS_ORDER) /* what is typed now is another order */
        pane->n_typed = 0;
    if (pane->ask == LESSON_PANE_ASKS_CELLS)
        lesson_pane_judge_cells(pane);
    if (lesson_pane_has_points(pane))
        lesson_pane_judge_points(pane, counted);
    if (pane->ask == LESSON_PANE_ASKS_NUMBER && counted)
        pane->field = (struct field){.size = 0}; /* the next one is another */
}

/* Words in the field of a number are chosen whole: a number takes their place. */
void lesson_pane_point_at(struct lesson_pane *pane, size_t begin, size_t end)
{
    size_t before = lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE ? 0 : sizeof answer_word - 1;
    size_t size = pane->field.size;
    if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_CELLS) {
        lesson_pane_point_at_cell(pane, begin);
    } else if (lesson_pane_ask(pane) == LESSON_PANE_ASKS_CHANGE) {
        lesson_pane_point_at_change(pane, begin);
    } else if (lesson_pane_has_field(pane)) {
        pane->slip = begin > before ? size_min(begin - before, size) : 0;
        pane->slip_end = end > before ? size_min(end - before, size) : 0;
        pane->field.cursor = size;
        pane->field.is_chosen = pane->ask == LESSON_PANE_ASKS_NUMBER &&
                                strpbrk(pane->field.text, "0123456789(") == NULL;
    }
    pane->is_left = false;
}

/* ---- clearing, and bringing back ---- */

/* Which keys answer here, in few words. */
static const char *answer_keys(const struct lesson_pane *pane)
{
    switch (lesson_pane_ask(pane)) {
    case LESSON_PANE_ASKS_ONE:
    case LESSON_PANE_ASKS_SEVERAL:
        return "digits choose";
    case LESSON_PANE_ASKS_ORDER:
        return "digits give the order, Space picks a step up";
    case LESSON_PANE_ASKS_POINT:
        return "arrows move, Enter answers";
    case LESSON_PANE_ASKS_POINTS:
        return "Space marks a cell";
    case LESSON_PANE_ASKS_MASK:
        return "Space, 1 and 0 draw";
    case LESSON_PANE_ASKS_EXERCISE:
        return "Enter opens the exercise";
    default:
        return "any character types again";
    }
}

static void keep_text(struct lesson_pane *pane, const char *text, size_t size)
{
    memcpy(pane->cleared.text, text, size);
    pane->cleared.text[size] = '\0';
}

bool lesson_pane_clear_field(struct lesson_pane *pane, struct field *field)
{
    if (field->size == 0)
        return false;
    keep_text(pane, field->text, field->size);
    *field = (struct field){.size = 0};
    return true;
}

enum field_change lesson_pane_edit(struct lesson_pane *pane, struct field *field, int key)
{
    struct edit edit = edit_of_key(field->text, field->size, field->cursor, key);
    const char *back = pane->cleared.text;
    if (key == CTRL_Y)
        return field_replace(field, field->cursor, back, strlen(back)) ? FIELD_CHANGED : FIELD_KEPT;
    if (field->is_chosen && edit.kind == EDIT_INSERT)
        keep_text(pane, field->text, field->size);
    else if (edit.kind == EDIT_CUT && edit.is_word_or_more && edit.begin < edit.end)
        keep_text(pane, field->text + edit.begin, edit.end - edit.begin);
    return field_key(field, key);
}

static bool clear_options(struct lesson_pane *pane)
{
    bool any = false;
    for (size_t i = 0; i < pane->n_options; i++) {
        any = any || pane->options[i].picked;
        pane->options[i].picked = false;
    }
    return any;
}

/* Takes away what is typed, marked or picked. False: nothing is. */
static bool clear_answer(struct lesson_pane *pane)
{
    switch (lesson_pane_ask(pane)) {
    case LESSON_PANE_ASKS_CELLS:
        return lesson_pane_clear_cell(pane);
    case LESSON_PANE_ASKS_CHANGE:
        return lesson_pane_clear_change(pane);
    case LESSON_PANE_ASKS_POINT:
    case LESSON_PANE_ASKS_POINTS:
    case LESSON_PANE_ASKS_MASK:
        return lesson_pane_clear_points(pane);
    case LESSON_PANE_ASKS_ONE:
    case LESSON_PANE_ASKS_SEVERAL:
        return clear_options(pane);
    case LESSON_PANE_ASKS_ORDER:
        return lesson_pane_clear_order(pane);
    default:
        pane->slip = pane->slip_end = 0;
        return lesson_pane_clear_field(pane, &pane->field);
    }
}

/* Esc and ^C. Neither leaves the lesson while its question waits. */
static void give_up(struct lesson_pane *pane, int key)
{
    bool can_return = !lesson_pane_has_options(pane);
    bool has_order = lesson_pane_ask(pane) == LESSON_PANE_ASKS_ORDER;
    if (clear_answer(pane)) {
        pane->is_left = false;
        lesson_pane_notice(pane, "%s",
                           can_return  ? "cleared; ^Y brings it back"
                           : has_order ? "the steps are in their first order"
                                       : "nothing is picked now");
    } else if (key == KEYCODE_ESCAPE) {
        pane->is_left = true;
        lesson_pane_notice(pane, "arrows and PgUp scroll, F6 other pane, ^Q leaves; %s",
                           answer_keys(pane));
    } else {
        lesson_pane_notice(pane, "there is nothing to clear; ^Q leaves the lesson");
    }
}

/* ---- completing ---- */

/* The word before the cursor, now that it is whole: what its function takes. */
static void show_signature(struct lesson_pane *pane, size_t start)
{
    struct text signature = {0};
    const struct field *field = &pane->field;
    const struct builtin *builtin = builtin_find(field->text + start, field->cursor - start);
    if (builtin != NULL)
        builtin_signature(builtin, &signature);
    if (builtin != NULL && !signature.failed)
        lesson_pane_notice(pane, "%s", text_string(&signature));
    text_release(&signature);
}

/* Tab in a field: as at the prompt, for an answer after "answer ", with the names of the lesson's
 * session. */
static void complete(struct lesson_pane *pane)
{
    struct text line = {0};
    struct field *field = &pane->field;
    struct completions *choices = &pane->choices;
    bool runs = lesson_pane_ask(pane) == LESSON_PANE_ASKS_LINE;
    size_t before = runs ? 0 : sizeof answer_word - 1;
    text_format(&line, "%s%s", runs ? "" : answer_word, field->text);
    completions_find(pane->tutor, runs, text_string(&line), before + field->cursor, choices);
    text_release(&line);
    if (field->size == 0 || choices->n == 0 || choices->start < before) {
        choices->n = 0;
        lesson_pane_notice(pane, "there is nothing to complete; F6 goes to the next pane");
        return;
    }
    size_t start = choices->start - before;
    bool is_whole = choices->n == 1, is_longer = choices->n_shared > field->cursor - start;
    if (is_longer || is_whole)
        (void)field_replace(field, start, text_string(&choices->words), choices->n_shared);
    if (is_longer || is_whole)
        choices->n = 0;
    if (is_whole)
        show_signature(pane, start);
}

/* Puts the line that the page offers next into the empty field. False: there is no such line. */
static bool take_over(struct lesson_pane *pane)
{
    struct text line = {0};
    bool ok = lesson_pane_put_offered(pane, &line);
    if (ok)
        field_set(&pane->field, text_string(&line), line.size);
    text_release(&line);
    return ok;
}

/* ---- keys ---- */

static bool type_key(struct lesson_pane *pane, int key)
{
    bool moves = key == KEYCODE_HOME || key == KEYCODE_END;
    if (moves && pane->field.size == 0) /* there is nothing to move in but the page */
        return false;
    if ((key == KEYCODE_UP || key == KEYCODE_DOWN) &&
        field_step_row(&pane->field, lesson_pane_field_cols(pane), key == KEYCODE_UP ? -1 : 1))
        return true;
    if (key == KEYCODE_TAB) {
        if (pane->field.size > 0 || !take_over(pane))
            complete(pane);
        return true;
    }
    enum field_change change = lesson_pane_edit(pane, &pane->field, key);
    if (change == FIELD_CHANGED)
        pane->slip = pane->slip_end = 0;
    return change != FIELD_IGNORED;
}

static bool option_key(struct lesson_pane *pane, int key)
{
    enum lesson_pane_ask ask = lesson_pane_ask(pane);
    bool chooses = (ask == LESSON_PANE_ASKS_ONE || ask == LESSON_PANE_ASKS_SEVERAL) && key >= '1' &&
                   key <= '9' && (size_t)(key - '1') < pane->n_options;
    if (chooses)
        lesson_pane_choose_option(pane, (size_t)(key - '1'));
    return chooses;
}

static bool answer_key(struct lesson_pane *pane, int key)
{
    switch (lesson_pane_ask(pane)) {
    case LESSON_PANE_ASKS_CELLS:
        return lesson_pane_cell_key(pane, key);
    case LESSON_PANE_ASKS_CHANGE:
        return lesson_pane_change_key(pane, key);
    case LESSON_PANE_ASKS_POINT:
    case LESSON_PANE_ASKS_POINTS:
    case LESSON_PANE_ASKS_MASK:
        return lesson_pane_point_key(pane, key);
    case LESSON_PANE_ASKS_NUMBER:
    case LESSON_PANE_ASKS_TEXT:
    case LESSON_PANE_ASKS_LINE:
        return type_key(pane, key);
    case LESSON_PANE_ASKS_ORDER:
        return lesson_pane_order_key(pane, key);
    default:
        return option_key(pane, key);
    }
}

/* A character that answers nothing, or Tab: never a command, so it is said what does something. */
static bool refuse_key(struct lesson_pane *pane, int key)
{
    char bytes[KEY_BYTES], name[16];
    bool is_tab = key == KEYCODE_TAB || key == KEYCODE_BACK_TAB;
    bool is_character = key >= ' ' && key != KEYCODE_BACKSPACE && key_bytes(key, bytes) > 0;
    if (is_tab)
        lesson_pane_notice(pane, "F6 goes to the next pane; here %s", answer_keys(pane));
    else if (is_character)
        lesson_pane_notice(pane, "%s does nothing here: %s; ^T hint, ^S skip", key_text(key, name),
                           answer_keys(pane));
    return is_tab || is_character;
}

/* Where the answer was left, these scroll. */
static bool scrolls(int key)
{
    return (key >= KEYCODE_UP && key <= KEYCODE_PAGE_DOWN);
}

bool lesson_pane_types(const void *state)
{
    const struct lesson_pane *pane = state;
    return find_types(&pane->find) || lesson_pane_ask(pane) != LESSON_PANE_ASKS_NOTHING;
}

bool lesson_pane_key(void *state, int key)
{
    struct lesson_pane *pane = state;
    pane->notice[0] = '\0';
    pane->choices.n = 0;
    if (find_is_open(&pane->find) && lesson_pane_find_key(pane, key))
        return true;
    if (find_types(&pane->find) || lesson_pane_ask(pane) == LESSON_PANE_ASKS_NOTHING)
        return false;
    if (key == KEYCODE_ESCAPE || key == KEYCODE_CTRL_C) {
        pane->waits = false;
        give_up(pane, key);
        return true;
    }
    if ((pane->is_left && scrolls(key)) ||
        binding_find(lesson_pane_control_bindings, key) != REQ_NONE)
        return false;
    pane->is_left = false;
    bool taken = answer_key(pane, key);
    pane->waits = pane->waits && !taken;
    if (taken && lesson_pane_has_table(pane)) /* what is typed is seen */
        lesson_pane_show_cursor(pane);
    /* A space is left to REQ_TOGGLE where there is something to pick. */
    bool picks = key == ' ' && lesson_pane_has_options(pane);
    return taken || (!picks && refuse_key(pane, key));
}
