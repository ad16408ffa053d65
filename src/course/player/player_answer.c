/* Answers and hints: judges the typed answer, shows the reply and remembers it. */
#include "course/player/player_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/lesson/page.h"
#include "diagnose/edits.h"
#include "graph/node.h"
#include "tensor/tensor.h"

/* ---- replies ---- */

/* Adds a text of the question's as Markdown. */
static bool say(struct player *player, const struct lesson_text *text, struct doc *out,
                struct error *reterr)
{
    unsigned line = 0;
    return text->text == NULL ||
           prose_show(&player->reference.session, text->text, out, &line, reterr) ||
           lesson_place_error(player->lesson, text->line + line, reterr);
}

/* Shows the result of the answer. An answer with which nothing can be computed has no result. */
static bool show_made(struct player *player, const char *typed, struct doc *out,
                      struct error *reterr)
{
    struct error error = {0};
    struct question_sessions sessions = player_sessions(player);
    if (question_makes(player_question(player), &sessions, typed, out, &error) ||
        !error_is_stop(&error))
        return true;
    return error_set(reterr, error.kind, "%s", error.text);
}

/* typed: an answer that makes something; or NULL. */
static bool show_right(struct player *player, const char *words, const char *typed, struct doc *out,
                       struct error *reterr)
{
    doc_line(out, STYLE_GOOD, "%s %s",
             player->reference.session.settings.ascii ? "ok" : "\xE2\x9C\x93", words);
    const struct lesson_text *because = &player_question(player)->because;
    if (typed != NULL && !show_made(player, typed, out, reterr))
        return false;
    /* A pane showed the matrix while one pointed into it; in lines it stands above. */
    bool shows = player_fills_matrix(player) ||
                 (player->in_pane && player_question(player)->kind == QUESTION_CELL);
    if (shows && !player_show_matrix(player, out, reterr))
        return false;
    if (shows && because->text != NULL)
        doc_end_line(out);
    return say(player, because, out, reterr) && player_show_way_on(player, out, reterr);
}

/* typed: an answer to the whole question; NULL: to a part of it. */
static bool show_wrong(struct player *player, const struct judged *judged, const char *typed,
                       struct doc *out, struct error *reterr)
{
    doc_add(out, STYLE_BAD, "%s ", player->reference.session.settings.ascii ? "x" : "\xE2\x9C\x97");
    doc_put(out, STYLE_BAD, "Not yet.", 8);
    /* For an order, the reply always says how much of it is right. */
    bool is_order = player_question(player)->kind == QUESTION_ORDER;
    if (is_order)
        doc_add(out, STYLE_PLAIN, " %s", judged->note);
    doc_end_line(out);
    if (judged->foreseen != NULL && !say(player, &judged->foreseen->say, out, reterr))
        return false;
    if (judged->foreseen == NULL && judged->note[0] != '\0' && !is_order)
        doc_wrap(out, STYLE_PLAIN, judged->note, player->reference.session.settings.width_cols, 0);
    if (judged->where[0] != '\0' && player->state.n_wrong > 1)
        doc_wrap(out, STYLE_PLAIN, judged->where, player->reference.session.settings.width_cols, 0);
    if (typed != NULL && !show_made(player, typed, out, reterr))
        return false;
    return player_show_way_on(player, out, reterr);
}

/* ---- judging ---- */

/* The reply is composed first, then the answer is remembered, then the reply is shown: an answer
 * that failed is not remembered, and a learner who sees "right" can close the terminal. */
static bool settle(struct player *player, const struct judged *judged, const char *typed,
                   bool is_part, struct doc *out, struct error *reterr)
{
    if (judged->is_unfinished) {
        doc_wrap(out, STYLE_NOTE, judged->note, player->reference.session.settings.width_cols, 0);
        return player_show_way_on(player, out, reterr); /* nothing counts */
    }
    if (!judged->right) {
        player->state.n_wrong++;
        player->only_counted = judged->foreseen == NULL && judged->mistake[0] == '\0';
        if (!show_wrong(player, judged, is_part ? NULL : typed, out, reterr))
            return false;
        const struct wrong_answer *wrong = player_question(player)->wrong;
        unsigned number = judged->foreseen != NULL ? (unsigned)(judged->foreseen - wrong) + 1 : 0;
        player_remember_wrong(player, typed, number, judged->mistake, out);
        return true;
    }
    player->state.right = true;
    bool alone = player->state.n_wrong == 0 && player->state.n_hints == 0;
    bool is_change = player_question(player)->kind == QUESTION_CHANGE;
    if (!show_right(player, alone ? "Right, at once." : "Right.", is_change ? typed : NULL, out,
                    reterr))
        return false;
    player_remember_event(player, EVENT_RIGHT, typed, 0, out);
    return true;
}

static bool fill_cell(struct player *player, size_t i, const struct judged *judged,
                      const char *typed, struct doc *out, struct error *reterr)
{
    if (!judged->right)
        return settle(player, judged, typed, true, out, reterr);
    player->state.cells |= (uint64_t)1 << i;
    if (player_open_cell(player) >= player->cells.n)
        return settle(player, judged, typed, true, out, reterr);
    doc_line(out, STYLE_GOOD, "%s Right.",
             player->reference.session.settings.ascii ? "ok" : "\xE2\x9C\x93");
    if (!player_show_matrix(player, out, reterr) || !player_show_way_on(player, out, reterr))
        return false;
    player_remember_event(player, EVENT_CELL, typed, (unsigned)i, out);
    return true;
}

/* Whether typed gives a single number: an answer for the next cell. A text that can't be read does
 * not. */
static bool find_single(struct player *player, const char *typed, bool *ret, struct error *reterr)
{
    struct value value;
    struct error error;
    struct text written = {0};
    *ret = false;
    bool ok = session_peek(&player->learner.session, NULL, typed, &value, &error);
    if (!ok && error.kind == ERR_SYNTAX) { /* 10%, which is not an expression, is still a number */
        question_write_number(player_question(player), typed, &written);
        ok = !written.failed &&
             session_peek(&player->learner.session, NULL, text_string(&written), &value, &error);
    }
    text_release(&written);
    if (!ok)
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    *ret = value.kind == VALUE_NODE && tensor_size(&value.as.node->value) == 1;
    value_release(&value);
    return true;
}

/* Without the table of mistakes, answers are judged all the same. */
static bool read_edits(struct player *player, struct error *reterr)
{
    struct error error = {0};
    if (player->edits != NULL)
        return true;
    player->edits = calloc(1, sizeof *player->edits);
    if (player->edits == NULL)
        return error_memory(reterr, "an answer");
    if (edits_open(player->reference.session.data_dir, player->edits, &error) ||
        !error_is_stop(&error))
        return true;
    free(player->edits);
    player->edits = NULL;
    return error_set(reterr, error.kind, "%s", error.text);
}

static bool answer_judged(struct player *player, const char *typed, struct doc *out,
                          struct error *reterr)
{
    if (!read_edits(player, reterr))
        return false;
    struct judged judged;
    struct question_sessions sessions = player_sessions(player);
    const struct question *question = player_question(player);
    size_t cell = player_open_cell(player);
    bool single = false;
    if (question->kind == QUESTION_MATRIX && cell < player->cells.n &&
        !find_single(player, typed, &single, reterr))
        return false;
    if (single)
        return question_judge_cell(question, &sessions, &player->cells, cell, typed, &judged,
                                   reterr) &&
               fill_cell(player, cell, &judged, typed, out, reterr);
    return question_judge(question, &sessions, typed, &judged, reterr) &&
           settle(player, &judged, typed, false, out, reterr);
}

static bool tell_answer(struct player *player, const char *words, struct doc *out,
                        struct error *reterr)
{
    bool is_matrix = player_fills_matrix(player);
    if (is_matrix)
        doc_line(out, STYLE_PLAIN, "%s", words);
    bool ok = is_matrix ? player_show_matrix(player, out, reterr)
                        : player_show_answer(player, words, out, reterr);
    const struct lesson_text *because = &player_question(player)->because;
    if (ok && because->text != NULL)
        doc_end_line(out);
    return ok && say(player, because, out, reterr) && player_show_way_on(player, out, reterr);
}

bool player_tell_skipped(struct player *player, struct doc *out, struct error *reterr)
{
    const struct question *question = player_question(player);
    if (question->answer.text == NULL)
        return true;
    if (!player_ready_reference(player, reterr))
        return false;
    bool is_matrix = player_fills_matrix(player);
    if (is_matrix)
        doc_line(out, STYLE_PLAIN, "Skipped: it was");
    bool ok = is_matrix ? player_show_matrix(player, out, reterr)
                        : player_show_answer(player, "Skipped: it was", out, reterr);
    return ok && say(player, &question->because, out, reterr);
}

static bool answer_guess(struct player *player, const char *typed, struct doc *out,
                         struct error *reterr)
{
    struct question_sessions sessions = player_sessions(player);
    char words[160], quoted[100];
    struct guess guess;
    bool ascii = player->reference.session.settings.ascii;
    if (!question_check_guess(player_question(player), &sessions, typed, &guess, reterr))
        return false;
    player->state.right = true;
    bool is_plain = typed[strspn(typed, "0123456789.-+, ")] == '\0';
    const char *sign = is_plain ? "" : "`"; /* Markdown would take the * of a formula */
    error_quote(quoted, sizeof quoted, typed, strlen(typed));
    if (guess.is_right)
        doc_line(out, STYLE_GOOD, "%s You guessed it.", ascii ? "ok" : "\xE2\x9C\x93");
    else if (guess.remark[0] != '\0')
        doc_line(out, guess.is_near ? STYLE_NOTE : STYLE_BAD, "%s %s",
                 guess.is_near ? "~"
                 : ascii       ? "x"
                               : "\xE2\x9C\x97",
                 guess.remark);
    if (!guess.is_right)
        snprintf(words, sizeof words, "You guessed %s%s%s. It is", sign, quoted, sign);
    if (!tell_answer(player, guess.is_right ? "It is" : words, out, reterr))
        return false;
    player_remember_event(player, EVENT_GUESS, typed, 0, out);
    return true;
}

static bool answer_reflection(struct player *player, const char *typed, struct doc *out,
                              struct error *reterr)
{
    player->state.right = true;
    doc_line(out, STYLE_GOOD, "%s Kept, for you alone.",
             player->reference.session.settings.ascii ? "ok" : "\xE2\x9C\x93");
    if (!say(player, &player_question(player)->because, out, reterr) ||
        !player_show_way_on(player, out, reterr))
        return false;
    player_remember_event(player, EVENT_REFLECTION, typed, 0, out);
    return true;
}

/* ---- exercises ---- */

bool player_settle_exercise(struct player *player, struct doc *out)
{
    struct exercise_progress done = {0};
    struct error error;
    const struct question *question = player_question(player);
    if (!player_is_asking(player) || question->kind != QUESTION_EXERCISE)
        return false;
    bool ok = progress_exercise(player->progress, question->exercise.text, &done, &error);
    player_tell_problem(player, ok, &error, out);
    if (!ok || !done.passed)
        return false;
    player->state.right = true;
    player_remember_event(player, EVENT_RIGHT, "", 0, out);
    words_show(
        out, STYLE_GOOD, player->reference.session.settings.width_cols, "%s You have solved %s.",
        player->reference.session.settings.ascii ? "ok" : "\xE2\x9C\x93", question->exercise.text);
    if (!say(player, &question->because, out, &error))
        words_show(out, STYLE_BAD, player->reference.session.settings.width_cols, "%s", error.text);
    return true;
}

/* ---- answering ---- */

static bool answer_any(struct player *player, const char *typed, struct doc *out,
                       struct error *reterr)
{
    if (!player_is_asking(player))
        return error_set(reterr, ERR_NAME, "answer: nothing is asked here; next goes on");
    enum question_kind kind = player_question(player)->kind;
    if (kind == QUESTION_EXERCISE) {
        const char *exercise = player_question(player)->exercise.text;
        if (player_settle_exercise(player, out))
            return player_show_way_on(player, out, reterr);
        return error_set(reterr, ERR_NAME, "answer: %s is not solved yet; check %s grades it",
                         exercise, exercise);
    }
    if (typed[0] == '\0') {
        struct text text = {0};
        player_write_invitation(player, &text);
        error_set(reterr, ERR_SYNTAX, "answer: your answer follows it. %s", text_string(&text));
        text_release(&text);
        return false;
    }
    if (!player_ready_reference(player, reterr))
        return false;
    if (kind == QUESTION_REFLECTION)
        return answer_reflection(player, typed, out, reterr);
    if (kind == QUESTION_PREDICT)
        return answer_guess(player, typed, out, reterr);
    return answer_judged(player, typed, out, reterr);
}

bool player_judge_text(struct player *player, const char *text, size_t size, struct doc *out,
                       struct error *reterr)
{
    size_t begin;
    char *typed = text_copy_trimmed(text, size, &begin);
    if (typed != NULL && typed[0] == '\0' && player->found.size > 0) { /* it was tried before */
        free(typed);
        typed = strdup(text_string(&player->found));
    }
    text_clear(&player->found);
    if (typed == NULL)
        return error_memory(reterr, "an answer");
    struct question_state before = player->state;
    size_t colon = typed[0] == ':' ? 1 + strspn(typed + 1, " ") : 0; /* "answer: 7" */
    begin += colon;
    bool ok = answer_any(player, typed + colon, out, reterr);
    if (!ok)
        player->state = before;
    if (!ok && reterr != NULL && reterr->end > reterr->begin) {
        reterr->begin += begin;
        reterr->end += begin;
    }
    free(typed);
    return ok;
}

bool player_answer(struct player *player, const char *text, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    return doc_keep(out, &end, player_judge_text(player, text, strlen(text), out, reterr), reterr);
}

/* ---- hints ---- */

static bool give_hint(struct player *player, struct doc *out, struct error *reterr)
{
    const struct question *question = player_question(player);
    if (player->state.n_hints >= question->n_hints) {
        player->state.told = true;
        if (!tell_answer(player, "The answer:", out, reterr))
            return false;
        player_remember_event(player, EVENT_WORKED, "", 0, out);
        return true;
    }
    unsigned hint = player->state.n_hints++;
    doc_line(out, STYLE_TITLE, "Hint %u of %u", hint + 1, question->n_hints);
    if (!say(player, &question->hints[hint], out, reterr) ||
        !player_show_way_on(player, out, reterr))
        return false;
    player_remember_event(player, EVENT_HINT, "", hint + 1, out);
    return true;
}

bool player_hint(struct player *player, struct doc *out, struct error *reterr)
{
    const struct question *question = player_question(player);
    const char *elsewhere = player->in_pane ? "; Enter opens the exercise, which has its own"
                                            : "; attn hint gives the exercise's";
    if (!player_is_asking(player))
        return error_set(reterr, ERR_NAME, "hint: nothing is asked here; %s goes on",
                         player->in_pane ? "Enter" : "next");
    if (question->n_hints == 0)
        return error_set(reterr, ERR_NAME, "hint: there is no hint here%s",
                         question->kind == QUESTION_EXERCISE ? elsewhere : "; any answer will do");
    bool has_answer = question->answer.text != NULL;
    if (player->state.n_hints >= question->n_hints && !has_answer)
        return error_set(reterr, ERR_NAME, "hint: that was the last one%s",
                         question->kind == QUESTION_EXERCISE ? elsewhere : "");
    struct doc_end end = doc_end_of(out);
    struct question_state before = player->state;
    bool ok = player_ready_reference(player, reterr) && give_hint(player, out, reterr);
    if (!ok)
        player->state = before;
    return doc_keep(out, &end, ok, reterr);
}
