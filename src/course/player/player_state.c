/* The player's state, and how it is remembered. Something that can't be remembered is reported
 * once, and the lesson goes on. */
#include "course/player/player_internal.h"

#include <time.h>

#include "course/lesson/page.h"
#include "files/clock.h"

const struct page *player_page(const struct player *player)
{
    return &player->lesson->pages[player->page];
}

const struct question *player_question(const struct player *player)
{
    return player_page(player)->question;
}

struct question_sessions player_sessions(struct player *player)
{
    return (struct question_sessions){.lesson = &player->reference.session,
                                      .learner = &player->learner.session,
                                      .edits = player->edits};
}

bool player_is_asking(const struct player *player)
{
    return player_question(player) != NULL && !player->state.right && !player->state.told;
}

bool player_pane_asks(const struct player *player)
{
    return player->in_pane && player_is_asking(player);
}

bool player_invites_lines(const struct player *player)
{
    return !player->finished && player_page(player)->offer.text != NULL &&
           player->learner.reached == player->page + 1;
}

bool player_is_offering(const struct player *player)
{
    return player->learner.reached == player->page + 1 && lesson_run_is_offering(&player->learner);
}

bool player_fills_matrix(const struct player *player)
{
    const struct question *question = player_question(player);
    return question != NULL &&
           (question->kind == QUESTION_MATRIX || question->kind == QUESTION_MASK);
}

size_t player_open_cell(const struct player *player)
{
    size_t i = 0;
    while (i < player->cells.n && i < 64 && (player->state.cells >> i & 1) != 0)
        i++;
    return i;
}

void player_place(const struct player *player, struct text *out)
{
    text_format(out, "%s %zu/%zu", player->lesson->id, player->page + 1, player->lesson->n_pages);
}

/* ---- remembering ---- */

void player_tell_problem(struct player *player, bool ok, const struct error *error, struct doc *out)
{
    if (ok || player->problem_told)
        return;
    struct doc_end end = doc_end_of(out);
    doc_wrap(out, STYLE_NOTE, error->text, player->learner.session.settings.width_cols, 0);
    player->problem_told = !out->failed;
    if (out->failed) /* the move happened: it does not fail because this note can't be shown */
        doc_take_back(out, &end);
}

void player_remember_page(struct player *player, struct doc *out)
{
    struct error error;
    if (player->is_review)
        return;
    bool ok = player->unsaved.failed
                  ? error_memory(&error, "remembering what you typed")
                  : attempt_turn_page(player->progress, &player->attempt, player_page(player)->name,
                                      text_string(&player->unsaved), time(NULL), &error);
    if (ok)
        text_clear(&player->unsaved);
    player_tell_problem(player, ok, &error, out);
}

/* The event happens now, at the question that is asked. */
static void remember(struct player *player, struct event event, struct doc *out)
{
    struct error error;
    int64_t now = clock_ms();
    event.lesson = player->lesson->id;
    event.question = player_question(player)->name;
    event.took_ms = now - player->shown_ms;
    event.time_s = time(NULL);
    event.is_unjudged = !question_is_judged(player_question(player)->kind);
    event.is_review = player->is_review;
    player->shown_ms = now;
    bool ok = progress_event(player->progress, player->is_review ? NULL : &player->attempt, &event,
                             &error);
    player_tell_problem(player, ok, &error, out);
}

void player_remember_event(struct player *player, enum event_kind kind, const char *detail,
                           unsigned number, struct doc *out)
{
    remember(player, (struct event){.kind = kind, .detail = detail, .number = number}, out);
}

void player_remember_wrong(struct player *player, const char *typed, unsigned foreseen,
                           const char *mistake, struct doc *out)
{
    remember(player,
             (struct event){
                 .kind = EVENT_WRONG, .detail = typed, .number = foreseen, .mistake = mistake},
             out);
}

void player_recall_question(struct player *player, struct doc *out)
{
    struct error error;
    const struct question *question = player_question(player);
    player->state = (struct question_state){0};
    if (question == NULL || player->is_review)
        return;
    bool ok = attempt_question(player->progress, &player->attempt, question->name, &player->state,
                               &error);
    player_tell_problem(player, ok, &error, out);
}
