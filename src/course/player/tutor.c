/* See tutor.h. */
#include "course/player/tutor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "course/player/overview_internal.h"
#include "course/player/warm_up_internal.h"
#include "course/lesson/page.h"
#include "commands/command.h"

enum { PATH_BYTES = 4096 };

void tutor_init(struct tutor *tutor, const struct player_setup *setup)
{
    *tutor = (struct tutor){.progress = setup->progress,
                            .data_dir = setup->data_dir,
                            .announce = setup->announce,
                            .announce_context = setup->announce_context,
                            .count_exercises = setup->count_exercises};
    session_init(&tutor->session, command_find, setup->settings, setup->data_dir, setup->stop);
}

void tutor_release(struct tutor *tutor)
{
    player_close(tutor->player);
    session_release(&tutor->session);
    course_release(&tutor->course);
    free(tutor->reviews);
    *tutor = (struct tutor){0};
}

struct session *tutor_session(struct tutor *tutor)
{
    return tutor->player != NULL ? &tutor->player->learner.session : &tutor->session;
}

void tutor_set_width(struct tutor *tutor, size_t width_cols)
{
    tutor->session.settings.width_cols = width_cols;
    if (tutor->player == NULL)
        return;
    tutor->player->reference.session.settings.width_cols = width_cols;
    tutor->player->learner.session.settings.width_cols = width_cols;
}

void tutor_prompt(const struct tutor *tutor, struct text *out)
{
    if (tutor->player == NULL || tutor->player->finished)
        text_put(out, "attn");
    else if (tutor->player->is_review)
        text_put(out, tutor->warms_up_for[0] != '\0' ? "warm-up" : "review");
    else
        player_place(tutor->player, out);
    text_put(out, "> ");
}

/* A player gets the settings of the session that is open now. */
static struct player_setup setup_player(struct tutor *tutor)
{
    return (struct player_setup){.progress = tutor->progress,
                                 .settings = &tutor_session(tutor)->settings,
                                 .data_dir = tutor->data_dir,
                                 .stop = tutor->session.graph.stop,
                                 .announce = tutor->announce,
                                 .announce_context = tutor->announce_context,
                                 .in_pane = tutor->player != NULL && tutor->player->in_pane};
}

static bool need_course(struct tutor *tutor, struct error *reterr)
{
    return tutor->course.n > 0 || course_open(tutor->data_dir, &tutor->course, reterr);
}

/* ---- opening ---- */

static void take_player(struct tutor *tutor, struct player *player)
{
    player_close(tutor->player);
    tutor->player = player;
    tutor->warms_up_for[0] = '\0';
    tutor->n_opened += player != NULL;
}

/* A path rather than a lesson's name. */
static bool is_path(const char *name)
{
    return strchr(name, '/') != NULL || text_ends_with(name, ".md");
}

/* A page of a step, "saturation/2". */
static bool is_page_name(const char *name)
{
    size_t step = strcspn(name, "/");
    size_t digits = strspn(name + step + (name[step] == '/'), "0123456789");
    return name[step] == '/' && digits > 0 && name[step + 1 + digits] == '\0';
}

static bool read_lesson(struct tutor *tutor, const char *name, struct lesson **ret,
                        struct error *reterr)
{
    const struct course_entry *entry;
    if (is_path(name))
        return lesson_read(name, ret, reterr);
    return need_course(tutor, reterr) && course_find(&tutor->course, name, &entry, reterr) &&
           lesson_read(entry->path, ret, reterr);
}

/* Opens the lesson at the page where it stopped, or at its first one. Takes ownership of the
 * lesson. */
static bool open_lesson(struct tutor *tutor, struct lesson *lesson, bool from_start,
                        struct doc *out, struct error *reterr)
{
    struct player *player;
    struct player_setup setup = setup_player(tutor);
    if (!player_open(lesson, &setup, from_start, &player, out, reterr))
        return false;
    take_player(tutor, player);
    return true;
}

/* Opens the lesson's warm-up, if it has one; then *ret_opened is set. */
static bool open_warm_up(struct tutor *tutor, const struct lesson *lesson, bool *ret_opened,
                         struct doc *out, struct error *reterr)
{
    struct lesson_record record;
    struct warm_up warm_up;
    struct player *player;
    struct error error;
    struct player_setup setup = setup_player(tutor);
    *ret_opened = false;
    if (!progress_lesson(tutor->progress, lesson->id, &record, &error))
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    if (record.started)
        return true;
    if (!warm_up_choose(&tutor->course, tutor->progress, lesson, &warm_up, reterr))
        return false;
    if (warm_up.lesson == NULL)
        return true;
    if (!player_review(warm_up.lesson, warm_up.question, lesson->title, &setup, &player, out,
                       &error))
        return !error_is_stop(&error) || error_set(reterr, error.kind, "%s", error.text);
    take_player(tutor, player);
    snprintf(tutor->warms_up_for, sizeof tutor->warms_up_for, "%s", lesson->id);
    *ret_opened = true;
    return true;
}

/* After the warm-up. */
static bool open_warmed_up(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    struct lesson *lesson;
    if (!read_lesson(tutor, tutor->warms_up_for, &lesson, reterr))
        return false;
    if (out->n_lines > 0)
        doc_end_line(out);
    return open_lesson(tutor, lesson, false, out, reterr);
}

/* At a step, from which the lesson can be turned back. Takes the lesson over. */
static bool open_step(struct tutor *tutor, struct lesson *lesson, const char *step, bool from_start,
                      struct doc *out, struct error *reterr)
{
    struct player *player;
    struct player_setup setup = setup_player(tutor);
    struct doc unseen; /* the page at which the lesson stopped */
    if (lesson_place(lesson, step) == lesson->n_pages) {
        /* It opens nothing: an attempt that was begun would be the one to go on with. */
        lesson_refuse_place(lesson, step, reterr);
        lesson_free(lesson);
        return false;
    }
    doc_init(&unseen);
    setup.announce = NULL;
    bool ok = player_open(lesson, &setup, from_start, &player, &unseen, reterr);
    doc_release(&unseen);
    if (ok)
        player->announce = tutor->announce;
    if (ok && !player_jump(player, step, out, reterr)) {
        player_close(player);
        return false;
    }
    if (ok)
        take_player(tutor, player);
    return ok;
}

bool tutor_open(struct tutor *tutor, const char *name, bool from_start, struct doc *out,
                struct error *reterr)
{
    char before_step[PATH_BYTES];
    struct lesson *lesson;
    const char *step = strrchr(name, '#');
    if (step != NULL && is_path(step) && !is_page_name(step + 1))
        step = NULL; /* the # is part of the path */
    if (step != NULL) {
        snprintf(before_step, sizeof before_step, "%.*s", (int)(step - name), name);
        name = before_step;
        step++;
    }
    if (!read_lesson(tutor, name, &lesson, reterr))
        return false;
    return step != NULL ? open_step(tutor, lesson, step, from_start, out, reterr)
                        : open_lesson(tutor, lesson, from_start, out, reterr);
}

/* Goes on to a lesson of the course, after its warm-up. */
static bool open_on(struct tutor *tutor, const char *name, struct doc *out, struct error *reterr)
{
    struct lesson *lesson;
    bool warms_up = false;
    if (!read_lesson(tutor, name, &lesson, reterr))
        return false;
    bool ok = open_warm_up(tutor, lesson, &warms_up, out, reterr);
    if (ok && !warms_up)
        return open_lesson(tutor, lesson, false, out, reterr);
    lesson_free(lesson);
    return ok;
}

/* The lesson to continue: the last one that was begun, else the first that is not finished. */
static bool current_lesson(struct tutor *tutor, char name[PROGRESS_NAME_BYTES],
                           struct error *reterr)
{
    struct lesson_record record;
    if (!need_course(tutor, reterr) || !progress_last_lesson(tutor->progress, name, reterr))
        return false;
    if (name[0] != '\0' && course_entry_of(&tutor->course, name) != NULL)
        return true;
    for (size_t i = 0; i < tutor->course.n; i++) {
        const struct course_entry *entry = &tutor->course.entries[i];
        snprintf(name, PROGRESS_NAME_BYTES, "%s", entry->id);
        if (!progress_lesson(tutor->progress, entry->id, &record, reterr))
            return false;
        if (!record.finished)
            return true;
    }
    return tutor->course.n > 0 ||
           error_set(reterr, ERR_FILE, "lesson: there are no lessons in %s", tutor->data_dir);
}

bool tutor_open_current(struct tutor *tutor, bool from_start, struct doc *out, struct error *reterr)
{
    char name[PROGRESS_NAME_BYTES] = "";
    return current_lesson(tutor, name, reterr) &&
           (from_start ? tutor_open(tutor, name, true, out, reterr)
                       : open_on(tutor, name, out, reterr));
}

/* ---- reviews ---- */

/* "in 3 days", "in 5 hours". */
static const char *time_until(int64_t seconds, char text[40])
{
    int64_t hours = seconds / 3600, days = (hours + 12) / 24;
    if (hours < 1)
        snprintf(text, 40, "within the hour");
    else if (days < 1)
        snprintf(text, 40, "in %d hour%s", (int)hours, hours == 1 ? "" : "s");
    else
        snprintf(text, 40, "in %d day%s", (int)days, days == 1 ? "" : "s");
    return text;
}

static bool find_reviews(struct tutor *tutor, bool all, struct error *reterr)
{
    size_t n;
    free(tutor->reviews);
    tutor->reviews = NULL;
    tutor->n_reviews = tutor->next_review = 0;
    if (!need_course(tutor, reterr) ||
        !progress_reviews(tutor->progress, time(NULL), all, &tutor->reviews, &n, reterr))
        return false;
    /* Only questions that can be asked: a lesson that is gone, or the learner's own, is not in the
     * course. */
    for (size_t i = 0; i < n; i++)
        if (course_entry_of(&tutor->course, tutor->reviews[i].lesson) != NULL)
            tutor->reviews[tutor->n_reviews++] = tutor->reviews[i];
    return true;
}

/* Says that nothing is due. */
static bool show_no_review(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    char when[40];
    size_t width = tutor_session(tutor)->settings.width_cols;
    if (!find_reviews(tutor, true, reterr))
        return false;
    if (tutor->n_reviews == 0)
        words_show(out, STYLE_PLAIN, width,
                   "There is nothing to review. Questions that you miss come back here.");
    else
        words_show(
            out, STYLE_PLAIN, width,
            "Nothing is due yet. %zu question%s will come back, the first %s; review all asks "
            "now.",
            tutor->n_reviews, tutor->n_reviews == 1 ? "" : "s",
            time_until(tutor->reviews[0].due_s - time(NULL), when));
    tutor->n_reviews = 0;
    return doc_check(out, reterr);
}

/* Opens one question to review. *ret_opened is false, and out says why, when its lesson can't be
 * read or does not have it any more. */
static bool try_review(struct tutor *tutor, const struct review *review, bool *ret_opened,
                       struct doc *out, struct error *reterr)
{
    struct lesson *lesson;
    struct player *player;
    struct error error;
    struct player_setup setup = setup_player(tutor);
    const struct course_entry *entry = course_entry_of(&tutor->course, review->lesson);
    error_set(&error, ERR_NAME, "lesson %s is gone", review->lesson);
    *ret_opened = entry != NULL && lesson_read(entry->path, &lesson, &error) &&
                  player_review(lesson, review->question, NULL, &setup, &player, out, &error);
    if (*ret_opened) {
        take_player(tutor, player);
        return true;
    }
    if (error_is_stop(&error))
        return error_set(reterr, error.kind, "%s", error.text);
    doc_wrap(out, STYLE_NOTE, error.text, tutor_session(tutor)->settings.width_cols, 0);
    return true;
}

/* The next question to review that can be asked, or the end of them. */
static bool open_review(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    bool opened = false;
    while (!opened && tutor->next_review < tutor->n_reviews)
        if (try_review(tutor, &tutor->reviews[tutor->next_review], &opened, out, reterr))
            tutor->next_review++;
        else
            return false; /* next tries it again */
    if (opened)
        return true;
    take_player(tutor, NULL);
    words_show(out, STYLE_GOOD, tutor->session.settings.width_cols,
               "That was the last question to review. lesson goes on with the course.");
    return doc_check(out, reterr);
}

bool tutor_review(struct tutor *tutor, bool all, struct doc *out, struct error *reterr)
{
    if (!find_reviews(tutor, all, reterr))
        return false;
    return tutor->n_reviews > 0 ? open_review(tutor, out, reterr)
                                : show_no_review(tutor, out, reterr);
}

/* After a question that was asked again: the lesson that it warmed up for, or the next review. */
static bool leave_review(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    return tutor->warms_up_for[0] != '\0' ? open_warmed_up(tutor, out, reterr)
                                          : open_review(tutor, out, reterr);
}

/* After the last page: the next review, or advice on what to do next. */
static bool leave_finished(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    struct player *player = tutor->player;
    struct error error;
    if (player == NULL || !player->finished)
        return true;
    if (player->is_review)
        return leave_review(tutor, out, reterr);
    const struct course_entry *entry = NULL;
    size_t width = player->reference.session.settings.width_cols;
    if (need_course(tutor, &error))
        entry = course_next(&tutor->course, player->lesson->id);
    if (player->in_pane) /* it has keys for the next steps */
        return true;
    if (out->n_lines > 0)
        doc_end_line(out);
    if (entry != NULL)
        words_show(out, STYLE_QUIET, width,
                   "next goes on with lesson %u, %s. progress shows how you are doing.",
                   entry->number, entry->id);
    else
        words_show(out, STYLE_QUIET, width, "progress shows how you are doing; review asks again.");
    return doc_check(out, reterr);
}

/* The step after a finished review, or warm-up, could not be opened the last time. */
static bool is_stuck(const struct tutor *tutor)
{
    return tutor->player->is_review && tutor->player->finished;
}

bool tutor_next(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    struct error error; /* without the list of lessons, the lesson is over */
    const struct player *player = tutor->player;
    const struct course_entry *entry =
        player->finished && !player->is_review && need_course(tutor, &error)
            ? course_next(&tutor->course, player->lesson->id)
            : NULL;
    if (entry != NULL)
        return open_on(tutor, entry->id, out, reterr);
    return (is_stuck(tutor) || player_next(tutor->player, out, reterr)) &&
           leave_finished(tutor, out, reterr);
}

bool tutor_skip(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    return (is_stuck(tutor) || player_skip(tutor->player, out, reterr)) &&
           leave_finished(tutor, out, reterr);
}

void tutor_close_lesson(struct tutor *tutor)
{
    take_player(tutor, NULL);
}

/* ---- progress ---- */

/* Counts the exercises, for the lists. */
static bool count_exercises(struct tutor *tutor, struct course_count *ret, struct error *reterr)
{
    *ret = (struct course_count){.n_exercises = 0};
    return tutor->count_exercises == NULL ||
           tutor->count_exercises(tutor->data_dir, tutor->progress, ret, reterr);
}

bool tutor_lessons(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    struct course_count count;
    return need_course(tutor, reterr) && count_exercises(tutor, &count, reterr) &&
           overview_lessons(&tutor->course, tutor->progress, count, &tutor_session(tutor)->settings,
                            out, reterr);
}

bool tutor_progress(struct tutor *tutor, struct doc *out, struct error *reterr)
{
    struct course_count count;
    return need_course(tutor, reterr) && count_exercises(tutor, &count, reterr) &&
           overview_progress(&tutor->course, tutor->progress, count,
                             &tutor_session(tutor)->settings, out, reterr);
}
