/* What a learner does in lessons, in SQLite: see plays.h.
 *
 * A play has runs, one for each attn that went on with it, and a run has the lines that make its
 * session. Every write to a play or a run gives it the next turn, a number that grows over all
 * plays. So the highest turn says what happened last, whatever the clock says. */
#include "course/progress/attempts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "course/progress/query.h"
#include "base/array.h"

/* The turn after all others. Only plays are asked: what gives a run a turn gives the play one. */
#define NEXT_TURN "(SELECT coalesce(max(turn), 0) + 1 FROM plays)"
#define LAST_TURN "(SELECT coalesce(max(turn), 0) FROM plays)"

enum {
    RUNS_KEPT = 8,
    DAY_S = 24 * 60 * 60,
    /* Events of a question in reviews belong to one showing while less than this lies between. It
     * is shorter than a day, after which a question is asked again at the earliest. */
    SHOWING_S = 6 * 60 * 60,
};

/* ---- names ---- */

static const char *const event_names[EVENT_COUNT] = {
    [EVENT_RIGHT] = "right",   [EVENT_WRONG] = "wrong",           [EVENT_HINT] = "hint",
    [EVENT_WORKED] = "worked", [EVENT_SKIPPED] = "skipped",       [EVENT_GUESS] = "guess",
    [EVENT_CELL] = "cell",     [EVENT_REFLECTION] = "reflection",
};

const char *event_name(enum event_kind kind)
{
    return event_names[kind];
}

/* EVENT_COUNT for a name nobody knows. */
static enum event_kind kind_of(const char *name)
{
    enum event_kind kind = 0;
    while (kind < EVENT_COUNT && strcmp(name, event_names[kind]) != 0)
        kind++;
    return kind;
}

/* What is too long to be read back whole is not written. */
static bool check_name(const char *name, struct error *reterr)
{
    char shown[48];
    if (strlen(name) < PLAY_PAGE_BYTES)
        return true;
    error_quote(shown, sizeof shown, name, strlen(name));
    return error_set(reterr, ERR_LIMIT,
                     "%s: the name is too long to be remembered; use fewer than %d bytes", shown,
                     (int)PLAY_PAGE_BYTES);
}

static void read_name(const struct query *row, int column, char name[PLAY_PAGE_BYTES])
{
    snprintf(name, PLAY_PAGE_BYTES, "%s", query_column(row, column));
}

/* Is there something to write to? Without a play nothing is remembered of it. */
static bool is_remembered(const struct progress *progress, const struct play *play)
{
    return progress->file != NULL && play->id != 0;
}

/* ---- plays ---- */

static bool add_play(const struct progress *progress, const char *lesson, int64_t time_s,
                     int64_t *ret_id, struct error *reterr)
{
    struct query query = query_of(progress, "INSERT INTO plays (lesson, begun_s, last_s, turn)"
                                            " VALUES (?1, ?2, ?2, " NEXT_TURN ")");
    query_text(&query, lesson);
    query_number(&query, time_s);
    bool ok = query_run(&query, reterr);
    if (ok)
        *ret_id = sqlite3_last_insert_rowid(progress->file);
    return ok;
}

/* Something happens in the play. */
static bool touch_play(const struct progress *progress, int64_t play, int64_t time_s,
                       struct error *reterr)
{
    struct query query = query_of(progress, "UPDATE plays SET turn = " NEXT_TURN
                                            ", last_s = max(last_s, ?2) WHERE id = ?1");
    query_number(&query, play);
    query_number(&query, time_s);
    return query_run(&query, reterr);
}

/* A run of the play at page, which has the play's turn. */
static bool add_run(const struct progress *progress, int64_t play, const char *page,
                    int64_t *ret_id, struct error *reterr)
{
    struct query query =
        query_of(progress, "INSERT INTO runs (play, page, turn) VALUES (?1, ?2, " LAST_TURN ")");
    query_number(&query, play);
    query_text(&query, page);
    bool ok = query_run(&query, reterr);
    if (ok)
        *ret_id = sqlite3_last_insert_rowid(progress->file);
    return ok;
}

static bool begin_play(const struct progress *progress, const char *lesson, int64_t time_s,
                       struct play *play, struct error *reterr)
{
    return add_play(progress, lesson, time_s, &play->id, reterr) &&
           add_run(progress, play->id, "", &play->run, reterr);
}

bool play_begin(struct progress *progress, const char *lesson, int64_t time_s, struct play *ret,
                struct error *reterr)
{
    struct play play = {0};
    if (!check_name(lesson, reterr))
        return false;
    if (progress->file != NULL &&
        !(transaction_begin(progress, reterr) &&
          transaction_end(progress, begin_play(progress, lesson, time_s, &play, reterr), reterr)))
        return false;
    *ret = play;
    return true;
}

/* The lesson's last play and the run that turned a page last; play->id stays 0 where there is none,
 * or it is finished. */
static bool find_play(const struct progress *progress, const char *lesson, struct play *play,
                      char page[PLAY_PAGE_BYTES], struct error *reterr)
{
    struct query query = query_of(
        progress, "SELECT plays.id, runs.id, page, finished_s IS NULL FROM plays, runs"
                  " WHERE lesson = ? AND play = plays.id ORDER BY plays.turn DESC, runs.turn DESC"
                  " LIMIT 1");
    query_text(&query, lesson);
    if (query_step(&query) && query_column_number(&query, 3)) {
        play->id = query_column_number(&query, 0);
        play->run = query_column_number(&query, 1);
        read_name(&query, 2, page);
    }
    return query_end(&query, reterr);
}

static bool read_lines(const struct progress *progress, int64_t run, struct text *lines,
                       struct error *reterr)
{
    struct query query =
        query_of(progress, "SELECT lines FROM lines WHERE run = ? ORDER BY number");
    query_number(&query, run);
    while (query_step(&query))
        text_put(lines, query_column(&query, 0));
    return query_end(&query, reterr) &&
           (!lines->failed || error_memory(reterr, "a lesson's lines"));
}

static bool copy_lines(const struct progress *progress, int64_t from, int64_t to,
                       struct error *reterr)
{
    struct query query = query_of(progress, "INSERT INTO lines (run, number, lines)"
                                            " SELECT ?2, number, lines FROM lines WHERE run = ?1");
    query_number(&query, from);
    query_number(&query, to);
    return query_run(&query, reterr);
}

/* Which runs of play ?1 are of use no more. */
#define OLD_RUNS \
    "(SELECT id FROM runs WHERE play = ?1 ORDER BY turn DESC, id DESC LIMIT -1 OFFSET ?2)"

static bool forget(const struct progress *progress, int64_t play, const char *sql,
                   struct error *reterr)
{
    struct query query = query_of(progress, sql);
    query_number(&query, play);
    query_number(&query, RUNS_KEPT);
    return query_run(&query, reterr);
}

static bool forget_old_runs(const struct progress *progress, int64_t play, struct error *reterr)
{
    return forget(progress, play, "DELETE FROM lines WHERE run IN " OLD_RUNS, reterr) &&
           forget(progress, play, "DELETE FROM runs WHERE id IN " OLD_RUNS, reterr);
}

/* A run of its own, which begins as the one that was found. */
static bool fork_run(const struct progress *progress, struct play *play, const char *page,
                     int64_t time_s, struct error *reterr)
{
    int64_t from = play->run;
    return touch_play(progress, play->id, time_s, reterr) &&
           add_run(progress, play->id, page, &play->run, reterr) &&
           copy_lines(progress, from, play->run, reterr) &&
           forget_old_runs(progress, play->id, reterr);
}

struct resumption {
    struct play play;
    char page[PLAY_PAGE_BYTES];
    struct text *lines;
};

static bool resume(const struct progress *progress, const char *lesson, int64_t time_s,
                   struct resumption *resumption, struct error *reterr)
{
    struct play *play = &resumption->play;
    if (!find_play(progress, lesson, play, resumption->page, reterr))
        return false;
    if (play->id == 0)
        return true;
    if (!read_lines(progress, play->run, resumption->lines, reterr))
        return false;
    if (sqlite3_db_readonly(progress->file, "main") == 1) { /* at least shown */
        play->run = 0;
        return true;
    }
    return fork_run(progress, play, resumption->page, time_s, reterr);
}

/* A file that may not be written can be read all the same. */
static bool begin_resuming(const struct progress *progress, struct error *reterr)
{
    return sqlite3_db_readonly(progress->file, "main") == 1
               ? transaction_begin_reading(progress, reterr)
               : transaction_begin(progress, reterr);
}

bool play_resume(struct progress *progress, const char *lesson, int64_t time_s, struct play *ret,
                 char page[PLAY_PAGE_BYTES], struct text *lines, bool *ret_found,
                 struct error *reterr)
{
    struct resumption found = {.lines = lines};
    size_t size_before = lines->size;
    if (progress->file != NULL &&
        !(begin_resuming(progress, reterr) &&
          transaction_end(progress, resume(progress, lesson, time_s, &found, reterr), reterr))) {
        text_shrink(lines, size_before);
        return false;
    }
    *ret_found = found.play.id != 0;
    if (*ret_found) {
        *ret = found.play;
        memcpy(page, found.page, PLAY_PAGE_BYTES);
    }
    return true;
}

/* The run is at page, with the turn of its play. Its row is gone where RUNS_KEPT others went on
 * since. */
static bool turn_run(const struct progress *progress, const struct play *play, const char *page,
                     struct error *reterr)
{
    struct query query = query_of(progress, "UPDATE runs SET page = ?2, turn = " LAST_TURN
                                            " WHERE id = ?1 AND play = ?3");
    query_number(&query, play->run);
    query_text(&query, page);
    query_number(&query, play->id);
    if (!query_run(&query, reterr))
        return false;
    return sqlite3_changes(progress->file) > 0 ||
           error_set(reterr, ERR_FILE,
                     "%s: attn was started %d times more in this lesson since; where you are in it"
                     " is not remembered here",
                     progress->path, (int)RUNS_KEPT);
}

static bool add_lines(const struct progress *progress, int64_t run, const char *lines,
                      struct error *reterr)
{
    struct query query =
        query_of(progress, "INSERT INTO lines (run, number, lines) VALUES (?1,"
                           " (SELECT coalesce(max(number), 0) + 1 FROM lines WHERE run = ?1),"
                           " CASE WHEN substr(?2, -1) = char(10) THEN ?2 ELSE ?2 || char(10) END)");
    query_number(&query, run);
    query_text(&query, lines);
    return query_run(&query, reterr);
}

static bool turn(const struct progress *progress, const struct play *play, const char *page,
                 const char *lines, int64_t time_s, struct error *reterr)
{
    return touch_play(progress, play->id, time_s, reterr) &&
           turn_run(progress, play, page, reterr) &&
           (lines[0] == '\0' || add_lines(progress, play->run, lines, reterr));
}

bool play_turn(struct progress *progress, const struct play *play, const char *page,
               const char *lines, int64_t time_s, struct error *reterr)
{
    if (!check_name(page, reterr))
        return false;
    return !is_remembered(progress, play) ||
           (transaction_begin(progress, reterr) &&
            transaction_end(progress, turn(progress, play, page, lines, time_s, reterr), reterr));
}

bool play_finish(struct progress *progress, const struct play *play, int64_t time_s,
                 struct error *reterr)
{
    if (!is_remembered(progress, play))
        return true;
    struct query query = query_of(
        progress, "UPDATE plays SET finished_s = coalesce(finished_s, ?2), turn = " NEXT_TURN
                  ", last_s = max(last_s, ?2) WHERE id = ?1");
    query_number(&query, play->id);
    query_number(&query, time_s);
    return query_run(&query, reterr);
}

/* ---- events ---- */

/* An event with its place among the others. */
struct happening {
    const struct event *event;
    int64_t play;    /* 0: none */
    int64_t showing; /* what it belongs to, known after find_showing() */
};

/* The question's events of a play belong together, and those of one review. */
static bool find_showing(const struct progress *progress, struct happening *happening,
                         struct error *reterr)
{
    const struct event *event = happening->event;
    struct query query = query_of(
        progress,
        "SELECT coalesce("
        " (SELECT showing FROM (SELECT showing, time_s FROM events WHERE lesson = ?1"
        "  AND question = ?2 AND play IS nullif(?3, 0) AND is_review = ?4 ORDER BY id DESC LIMIT 1)"
        "  WHERE ?3 != 0 OR abs(time_s - ?5) < ?6),"
        " (SELECT coalesce(max(id), 0) + 1 FROM events))");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    query_number(&query, happening->play);
    query_number(&query, event->is_review);
    query_number(&query, event->time_s);
    query_number(&query, SHOWING_S);
    if (query_step(&query))
        happening->showing = query_column_number(&query, 0);
    return query_end(&query, reterr);
}

static bool add_event(const struct progress *progress, const struct happening *happening,
                      struct error *reterr)
{
    const struct event *event = happening->event;
    struct query query = query_of(
        progress, "INSERT INTO events (lesson, question, kind, detail, number, took_ms, time_s,"
                  " play, is_review, showing) VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?, ?)");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    query_text(&query, event_name(event->kind));
    query_text(&query, event->detail);
    query_number(&query, event->number);
    query_number(&query, event->took_ms);
    query_number(&query, event->time_s);
    query_number(&query, happening->play);
    query_number(&query, event->is_review);
    query_number(&query, happening->showing);
    return query_run(&query, reterr);
}

/* What happened in this showing so far: was it answered rightly, or missed? */
static bool look_back(const struct progress *progress, const struct happening *happening,
                      bool *ret_right, bool *ret_missed, struct error *reterr)
{
    struct query query =
        query_of(progress, "SELECT coalesce(max(kind = 'right'), 0),"
                           " coalesce(max(kind IN ('wrong', 'worked', 'skipped')), 0)"
                           " FROM events WHERE lesson = ? AND question = ? AND showing = ?");
    query_text(&query, happening->event->lesson);
    query_text(&query, happening->event->question);
    query_number(&query, happening->showing);
    if (query_step(&query)) {
        *ret_right = query_column_number(&query, 0) != 0;
        *ret_missed = query_column_number(&query, 1) != 0;
    }
    return query_end(&query, reterr);
}

static bool review_after_a_day(const struct progress *progress, const struct event *event,
                               struct error *reterr)
{
    struct query query = query_of(progress, "INSERT OR REPLACE INTO reviews (lesson, question,"
                                            " step, due_s) VALUES (?, ?, 0, ?)");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    query_number(&query, event->time_s + DAY_S);
    return query_run(&query, reterr);
}

/* Puts a question off that is to be reviewed, or takes it as learned. */
static bool put_off(const struct progress *progress, const struct event *event,
                    struct error *reterr)
{
    static const int64_t days_of_step[REVIEW_STEPS] = {1, 3, 7, 16, 35};
    int64_t step = 0;
    struct query query =
        query_of(progress, "SELECT step + 1 FROM reviews WHERE lesson = ? AND question = ?");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    if (query_step(&query))
        step = query_column_number(&query, 0);
    if (!query_end(&query, reterr))
        return false;
    if (step <= 0) /* it is none of those to review */
        return true;
    bool learned = step >= REVIEW_STEPS;
    query = query_of(progress, learned ? "DELETE FROM reviews WHERE lesson = ? AND question = ?"
                                       : "UPDATE reviews SET step = ?3, due_s = ?4"
                                         " WHERE lesson = ?1 AND question = ?2");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    if (!learned) {
        query_number(&query, step);
        query_number(&query, event->time_s + days_of_step[step] * DAY_S);
    }
    return query_run(&query, reterr);
}

/* What the event means for what there is to review. After the right answer nothing counts until the
 * question is shown anew. */
static bool plan_review(const struct progress *progress, const struct happening *happening,
                        struct error *reterr)
{
    const struct event *event = happening->event;
    bool misses =
        event->kind == EVENT_WRONG || event->kind == EVENT_WORKED || event->kind == EVENT_SKIPPED;
    bool right_before = false, missed_before = false;
    if (event->is_unjudged || (!misses && !(event->kind == EVENT_RIGHT && event->is_review)))
        return true;
    if (!look_back(progress, happening, &right_before, &missed_before, reterr))
        return false;
    if (right_before)
        return true;
    return misses || missed_before ? review_after_a_day(progress, event, reterr)
                                   : put_off(progress, event, reterr);
}

static bool happen(const struct progress *progress, struct happening *happening,
                   struct error *reterr)
{
    return find_showing(progress, happening, reterr) && plan_review(progress, happening, reterr) &&
           add_event(progress, happening, reterr) &&
           (happening->play == 0 ||
            touch_play(progress, happening->play, happening->event->time_s, reterr));
}

bool progress_event(struct progress *progress, const struct play *play, const struct event *event,
                    struct error *reterr)
{
    struct happening happening = {.event = event};
    if (!check_name(event->lesson, reterr) || !check_name(event->question, reterr))
        return false;
    if (play != NULL && !event->is_review)
        happening.play = play->id;
    return progress->file == NULL ||
           (transaction_begin(progress, reterr) &&
            transaction_end(progress, happen(progress, &happening, reterr), reterr));
}

/* ---- marks ---- */

/* What happened in one showing, event by event. Once right, the rest changes nothing. */
struct showing {
    bool right, wrong, hinted, worked, skipped;
    bool offered; /* guessed, or written for oneself */
};

static void showing_add(struct showing *showing, enum event_kind kind)
{
    if (showing->right)
        return;
    showing->right = kind == EVENT_RIGHT;
    showing->wrong = showing->wrong || kind == EVENT_WRONG;
    showing->hinted = showing->hinted || kind == EVENT_HINT;
    showing->worked = showing->worked || kind == EVENT_WORKED;
    showing->skipped = showing->skipped || kind == EVENT_SKIPPED;
    showing->offered = showing->offered || kind == EVENT_GUESS || kind == EVENT_REFLECTION;
}

static enum mark showing_mark(const struct showing *showing)
{
    if (showing->worked || (showing->skipped && !showing->right))
        return MARK_TOLD;
    if (showing->right)
        return showing->wrong || showing->hinted || showing->skipped ? MARK_HELPED : MARK_ALONE;
    if (showing->wrong)
        return MARK_MISSED;
    return showing->offered ? MARK_ALONE : MARK_NONE;
}

/* The records of a lesson as they are being made. They are called for when all is read: each() may
 * take its time, and others must be able to write meanwhile. */
struct records {
    struct question_record *items;
    size_t n, capacity;
    int64_t showing_id;
    struct showing showing; /* of the last item, so far */
};

/* The question's record: the last one, or a new one. NULL without memory. */
static struct question_record *record_for(struct records *records, const char *question)
{
    if (records->n > 0 && strcmp(records->items[records->n - 1].question, question) == 0)
        return &records->items[records->n - 1];
    struct question_record *items =
        array_grow(records->items, records->n, &records->capacity, sizeof *items);
    if (items == NULL)
        return NULL;
    records->items = items;
    records->showing_id = 0;
    struct question_record *record = &items[records->n++];
    *record = (struct question_record){.mark = MARK_NONE};
    snprintf(record->question, sizeof record->question, "%s", question);
    return record;
}

static void count_event(struct question_record *record, enum event_kind kind, int64_t took_ms)
{
    record->n_right += kind == EVENT_RIGHT;
    record->n_wrong += kind == EVENT_WRONG;
    record->n_hints += kind == EVENT_HINT;
    record->n_told += kind == EVENT_WORKED || kind == EVENT_SKIPPED;
    record->took_ms += took_ms;
}

static bool add_record(struct records *records, const struct query *row)
{
    enum event_kind kind = kind_of(query_column(row, 1));
    int64_t showing_id = query_column_number(row, 3);
    struct question_record *record = record_for(records, query_column(row, 0));
    if (record == NULL)
        return false;
    if (showing_id != records->showing_id)
        records->showing = (struct showing){0};
    records->showing_id = showing_id;
    count_event(record, kind, query_column_number(row, 2));
    showing_add(&records->showing, kind);
    record->mark = showing_mark(&records->showing);
    return true;
}

/* Questions as they first came, in each the showing that something happened in last comes last. */
static bool read_records(const struct progress *progress, const char *lesson,
                         struct records *records, struct error *reterr)
{
    bool fits = true;
    struct query query =
        query_of(progress, "SELECT question, kind, took_ms, showing FROM"
                           " (SELECT id, question, kind, took_ms, showing,"
                           "   min(id) OVER (PARTITION BY question) AS first_id,"
                           "   max(id) OVER (PARTITION BY question, showing) AS last_id"
                           "  FROM events WHERE lesson = ?) ORDER BY first_id, last_id, id");
    query_text(&query, lesson);
    while (fits && query_step(&query))
        fits = add_record(records, &query);
    return query_end(&query, reterr) && (fits || error_memory(reterr, "a lesson's questions"));
}

bool progress_questions(struct progress *progress, const char *lesson,
                        bool (*each)(void *context, const struct question_record *record),
                        void *context, struct error *reterr)
{
    struct records records = {0};
    bool ok = progress->file == NULL || read_records(progress, lesson, &records, reterr);
    bool goes_on = ok;
    for (size_t i = 0; goes_on && i < records.n; i++)
        goes_on = each(context, &records.items[i]);
    free(records.items);
    return ok;
}

static void note_state(struct question_state *state, enum event_kind kind, int64_t number)
{
    switch (kind) {
    case EVENT_RIGHT:
    case EVENT_GUESS:
    case EVENT_REFLECTION:
        state->right = true;
        break;
    case EVENT_WORKED:
        state->told = true;
        break;
    case EVENT_SKIPPED: /* it can be answered later */
        break;
    case EVENT_WRONG:
        state->n_wrong++;
        break;
    case EVENT_HINT:
        if (number > state->n_hints)
            state->n_hints = (unsigned)number;
        break;
    case EVENT_CELL:
        if (number >= 0 && number < 64)
            state->cells |= UINT64_C(1) << number;
        break;
    case EVENT_COUNT:
        break;
    }
}

bool play_question(struct progress *progress, const struct play *play, const char *question,
                   struct question_state *ret, struct error *reterr)
{
    struct question_state state = {0};
    if (is_remembered(progress, play)) {
        struct query query = query_of(progress, "SELECT kind, number FROM events"
                                                " WHERE play = ? AND question = ? ORDER BY id");
        query_number(&query, play->id);
        query_text(&query, question);
        while (query_step(&query))
            note_state(&state, kind_of(query_column(&query, 0)), query_column_number(&query, 1));
        if (!query_end(&query, reterr))
            return false;
    }
    *ret = state;
    return true;
}

/* ---- lessons ---- */

static void read_lesson(const struct query *row, struct lesson_record *found)
{
    found->started = query_column_number(row, 0) > 0;
    found->finished = query_column_number(row, 1) > 0;
    found->open = query_column_number(row, 2) != 0;
    found->last_s = query_column_number(row, 3);
    found->took_ms = query_column_number(row, 4);
}

bool progress_lesson(struct progress *progress, const char *lesson, struct lesson_record *ret,
                     struct error *reterr)
{
    struct lesson_record found = {0};
    if (progress->file != NULL) {
        struct query query = query_of(
            progress,
            "SELECT (SELECT count(*) FROM plays WHERE lesson = ?1),"
            " (SELECT count(finished_s) FROM plays WHERE lesson = ?1),"
            " (SELECT finished_s IS NULL FROM plays WHERE lesson = ?1 ORDER BY turn DESC LIMIT 1),"
            " max(coalesce((SELECT max(last_s) FROM plays WHERE lesson = ?1), 0),"
            "     coalesce((SELECT max(time_s) FROM events WHERE lesson = ?1), 0)),"
            " (SELECT sum(took_ms) FROM events WHERE lesson = ?1)");
        query_text(&query, lesson);
        if (query_step(&query))
            read_lesson(&query, &found);
        if (!query_end(&query, reterr))
            return false;
    }
    *ret = found;
    return true;
}

bool progress_last_lesson(struct progress *progress, char lesson[PLAY_PAGE_BYTES],
                          struct error *reterr)
{
    char found[PLAY_PAGE_BYTES] = "";
    if (progress->file != NULL) {
        struct query query = query_of(
            progress, "SELECT lesson FROM plays WHERE finished_s IS NULL AND turn ="
                      " (SELECT max(turn) FROM plays AS others WHERE others.lesson = plays.lesson)"
                      " ORDER BY turn DESC LIMIT 1");
        if (query_step(&query))
            read_name(&query, 0, found);
        if (!query_end(&query, reterr))
            return false;
    }
    memcpy(lesson, found, sizeof found);
    return true;
}

/* ---- reviews ---- */

struct reviews {
    struct review *items;
    size_t n, capacity;
};

static bool add_review(struct reviews *reviews, const struct query *row)
{
    struct review *items = array_grow(reviews->items, reviews->n, &reviews->capacity, sizeof *items);
    if (items == NULL)
        return false;
    reviews->items = items;
    struct review *review = &items[reviews->n++];
    *review = (struct review){.due_s = query_column_number(row, 2),
                              .step = (unsigned)query_column_number(row, 3)};
    read_name(row, 0, review->lesson);
    read_name(row, 1, review->question);
    return true;
}

static bool read_reviews(const struct progress *progress, int64_t time_s, bool not_yet_due,
                         struct reviews *reviews, struct error *reterr)
{
    bool fits = true;
    struct query query = query_of(progress, "SELECT lesson, question, due_s, step FROM reviews"
                                            " WHERE due_s <= ? OR ?"
                                            " ORDER BY due_s, lesson, question");
    query_number(&query, time_s);
    query_number(&query, not_yet_due);
    while (fits && query_step(&query))
        fits = add_review(reviews, &query);
    return query_end(&query, reterr) && (fits || error_memory(reterr, "the questions to review"));
}

bool progress_reviews(struct progress *progress, int64_t time_s, bool not_yet_due,
                      bool (*each)(void *context, const struct review *review), void *context,
                      struct error *reterr)
{
    struct reviews reviews = {0};
    bool ok =
        progress->file == NULL || read_reviews(progress, time_s, not_yet_due, &reviews, reterr);
    bool goes_on = ok;
    for (size_t i = 0; goes_on && i < reviews.n; i++)
        goes_on = each(context, &reviews.items[i]);
    free(reviews.items);
    return ok;
}
