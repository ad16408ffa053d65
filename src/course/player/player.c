/* See player.h. Pages turned, lessons opened and ended. */
#include "course/player/player_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course/lesson/page.h"
#include "course/progress/lesson_count.h"
#include "diagnose/edits.h"
#include "files/clock.h"

/* ---- turning to a page ---- */

/* Turns to a page and shows it. */
static bool go_to(struct player *player, size_t page, struct doc *out, struct error *reterr)
{
    size_t before = player->page;
    struct question_state state = player->state;
    text_clear(&player->found);
    player->page = page;
    player_recall_question(player, out);
    (void)player_settle_exercise(player, out);
    /* A pane asks for the page itself, in its own width. */
    if (!lesson_run_page(&player->learner, page, out, reterr) ||
        (!player->in_pane && !player_show_page(player, out, reterr))) {
        player->page = before;
        player->state = state;
        return false;
    }
    player->shown_ms = clock_ms();
    player_remember_page(player, out);
    return true;
}

bool player_show(struct player *player, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    return doc_keep(out, &end, player_show_page(player, out, reterr), reterr);
}

/* ---- the end of a lesson ---- */

/* How the questions that have a right answer went. */
static bool show_marks(const struct player *player, struct doc *out, struct error *reterr)
{
    struct lesson_count count;
    struct text text = {0};
    if (!lesson_count_of(player->progress, player->lesson, &count, reterr))
        return false;
    lesson_count_write_all(&count, &text);
    if (count.by_mark[MARK_NONE] + count.by_mark[MARK_MISSED] < count.n)
        words_show(out, STYLE_PLAIN, player->reference.session.settings.width_cols, "%s",
                   text_string(&text));
    out->failed = out->failed || text.failed;
    text_release(&text);
    return true;
}

static void show_objective(const char *objective, size_t width_cols, struct doc *out)
{
    static const char mark[] = "  - ";
    const size_t mark_cols = sizeof mark - 1;
    struct doc bullet, text;
    doc_init(&bullet);
    doc_init(&text);
    doc_add(&bullet, STYLE_PLAIN, "%s", mark);
    doc_wrap(&text, STYLE_PLAIN, objective, width_cols > mark_cols ? width_cols - mark_cols : 1, 0);
    doc_append_beside(out, &bullet, &text, 0);
    doc_release(&bullet);
    doc_release(&text);
}

static bool show_end(struct player *player, struct doc *out, struct error *reterr)
{
    const struct lesson *lesson = player->lesson;
    struct error error;
    size_t width = player->reference.session.settings.width_cols;
    words_show(out, STYLE_GOOD, width, "You have finished %s.", lesson->title);
    player_tell_problem(player, show_marks(player, out, &error), &error, out);
    doc_line(out, STYLE_PLAIN, "You can now");
    for (unsigned i = 0; i < lesson->n_objectives; i++)
        show_objective(lesson->objectives[i].text, width, out);
    return doc_check(out, reterr);
}

static bool end_lesson(struct player *player, struct doc *out, struct error *reterr)
{
    struct error error;
    if (!player->is_review) {
        if (!show_end(player, out, reterr))
            return false;
        bool ok = attempt_finish(player->progress, &player->attempt, time(NULL), &error);
        player_tell_problem(player, ok, &error, out);
    }
    player->finished = true;
    return true;
}

/* ---- moves ---- */

static void announce(const struct player *player, size_t page)
{
    if (player->announce != NULL)
        player->announce(player->announce_context, player->lesson, page);
}

static bool turn(struct player *player, struct doc *out, struct error *reterr)
{
    if (player->finished)
        return error_set(reterr, ERR_NAME, "next: the lesson is over; lesson opens another");
    if (player_is_offering(player)) { /* it runs, and is looked at before the page is turned */
        if (!lesson_run_show_offer(&player->learner, out, &player->typed_picture, reterr))
            return false;
        player_remember_page(player, out);
        return player_show_way_on(player, out, reterr);
    }
    if (player->is_review || player->page + 1 == player->lesson->n_pages)
        return end_lesson(player, out, reterr);
    return go_to(player, player->page + 1, out, reterr);
}

/* A pane has keys for these actions, lines have words. */
static bool refuse_next(const struct player *player, struct error *reterr)
{
    bool exercise = player_question(player)->kind == QUESTION_EXERCISE;
    if (player->in_pane)
        return error_set(reterr, ERR_NAME, "%s",
                         exercise ? "the exercise is not solved yet: Enter opens it, ^S skips it"
                                  : "the question waits for an answer; ^T is a hint, ^S skips it");
    return error_set(reterr, ERR_NAME, "next: %s; or type skip",
                     exercise ? "the exercise is not solved yet"
                              : "the question waits for an answer, or type hint");
}

bool player_next(struct player *player, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    if (player_settle_exercise(player, out))
        doc_end_line(out);
    bool waits = !player->finished && player_is_asking(player);
    bool ok = waits ? refuse_next(player, reterr) : turn(player, out, reterr);
    return doc_keep(out, &end, ok, reterr);
}

bool player_back(struct player *player, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    if (player->is_review || (player->page == 0 && !player->finished))
        return error_set(reterr, ERR_NAME, "back: this is the first page");
    bool ok = go_to(player, player->finished ? player->page : player->page - 1, out, reterr);
    if (ok)
        player->finished = false;
    return doc_keep(out, &end, ok, reterr);
}

bool player_jump(struct player *player, const char *place, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    size_t to = lesson_place(player->lesson, place);
    if (to >= player->lesson->n_pages)
        return lesson_refuse_place(player->lesson, place, reterr);
    announce(player, to);
    bool ok = lesson_run_until(&player->learner, to, out, reterr) && go_to(player, to, out, reterr);
    if (ok)
        player->finished = false;
    return doc_keep(out, &end, ok, reterr);
}

bool player_skip(struct player *player, struct doc *out, struct error *reterr)
{
    struct doc_end end = doc_end_of(out);
    struct question_state before = player->state;
    bool is_free = player->warms_up_for != NULL; /* a warm-up is left out as if it had not come */
    if (!player->finished && player_is_asking(player)) {
        player->state.told = true; /* after the last page it is not asked any more */
        if (!is_free)
            player_remember_event(player, EVENT_SKIPPED, "", 0, out);
    }
    bool skips = player->state.told && !before.told && !is_free;
    bool ok = (!skips || player_tell_skipped(player, out, reterr)) && turn(player, out, reterr);
    if (!ok)
        player->state = before;
    return doc_keep(out, &end, ok, reterr);
}

/* ---- opening ---- */

void player_close(struct player *player)
{
    if (player == NULL)
        return;
    lesson_run_release(&player->reference);
    lesson_run_release(&player->learner);
    text_release(&player->unsaved);
    text_release(&player->found);
    if (player->edits != NULL)
        edits_release(player->edits);
    free(player->edits);
    free(player->warms_up_for);
    lesson_free(player->lesson);
    free(player);
}

static struct player *new_player(struct lesson *lesson, const struct player_setup *setup,
                                 bool is_review)
{
    struct error ignored;
    struct player *player = calloc(1, sizeof *player);
    if (player == NULL) {
        lesson_free(lesson);
        return NULL;
    }
    struct settings settings = *setup->settings;
    settings.echo = true;
    settings.no_files = true;
    lesson_run_init(&player->reference, lesson, &settings, setup->data_dir, setup->stop);
    lesson_run_init(&player->learner, lesson, setup->settings, setup->data_dir, setup->stop);
    player->learner.is_tolerant = true;
    player->learner.log = is_review ? NULL : &player->unsaved;
    player->lesson = lesson;
    player->progress = setup->progress;
    player->shown_ms = clock_ms();
    player->is_review = is_review;
    player->in_pane = setup->in_pane;
    player->announce = setup->announce;
    player->announce_context = setup->announce_context;
    player->problem_told = progress_problem(setup->progress) != NULL;
    if (!lesson_run_keep(&player->reference, &ignored)) {
        player_close(player);
        return NULL;
    }
    return player;
}

static bool begin(struct player *player, struct doc *out, struct error *reterr)
{
    struct error error;
    bool ok =
        attempt_begin(player->progress, player->lesson->id, time(NULL), &player->attempt, &error);
    player_tell_problem(player, ok, &error, out);
    announce(player, 0);
    return go_to(player, 0, out, reterr);
}

/* At the page of that name, with the session that these lines made. */
static bool go_on(struct player *player, const char *name, const struct text *lines,
                  struct doc *out, struct error *reterr)
{
    size_t page = lesson_page(player->lesson, name);
    if (page < player->lesson->n_pages)
        announce(player, page);
    if (!lesson_run_replay(&player->learner, lines, out, reterr))
        return false;
    bool is_gone = page == player->lesson->n_pages;
    if (is_gone)
        page = player->learner.reached > 0 ? player->learner.reached - 1 : 0;
    if (is_gone && name[0] != '\0')
        words_show(out, STYLE_NOTE, player->learner.session.settings.width_cols,
                   "The page where you stopped is gone, since the lesson was changed; this is the "
                   "nearest.");
    return lesson_run_until(&player->learner, page, out, reterr) &&
           go_to(player, page, out, reterr);
}

/* Goes to the page where the last attempt stopped, or to the start. */
static bool resume(struct player *player, struct doc *out, struct error *reterr)
{
    char name[PROGRESS_NAME_BYTES] = "";
    struct text lines = {0};
    struct error error;
    bool found = false;
    bool ok = attempt_resume(player->progress, player->lesson->id, time(NULL), &player->attempt,
                             name, &lines, &found, &error);
    player_tell_problem(player, ok, &error, out);
    ok = found ? go_on(player, name, &lines, out, reterr) : begin(player, out, reterr);
    text_release(&lines);
    return ok;
}

bool player_open(struct lesson *lesson, const struct player_setup *setup, bool from_start,
                 struct player **ret, struct doc *out, struct error *reterr)
{
    struct player *player = new_player(lesson, setup, false);
    if (player == NULL)
        return error_memory(reterr, "a lesson");
    struct doc_end end = doc_end_of(out);
    bool ok = from_start ? begin(player, out, reterr) : resume(player, out, reterr);
    ok = doc_keep(out, &end, ok, reterr);
    if (ok)
        *ret = player;
    else
        player_close(player);
    return ok;
}

bool player_review(struct lesson *lesson, const char *question, const char *before,
                   const struct player_setup *setup, struct player **ret, struct doc *out,
                   struct error *reterr)
{
    struct player *player = new_player(lesson, setup, true);
    if (player == NULL)
        return error_memory(reterr, "a review");
    struct doc_end end = doc_end_of(out);
    size_t page = lesson_page(lesson, question);
    bool is_there = page < lesson->n_pages && lesson->pages[page].question != NULL;
    bool ok = is_there && (before == NULL || (player->warms_up_for = strdup(before)) != NULL);
    if (is_there && !ok)
        error_memory(reterr, "a review");
    else if (!ok)
        error_set(reterr, ERR_NAME, "%s: the lesson has no question %s any more", lesson->title,
                  question);
    ok = ok && lesson_run_until(&player->learner, page, out, reterr) &&
         go_to(player, page, out, reterr);
    ok = doc_keep(out, &end, ok, reterr);
    if (ok)
        *ret = player;
    else
        player_close(player);
    return ok;
}
