/* Events at questions, in SQLite: see event_internal.h. */
#include "course/progress/event_internal.h"

#include <string.h>

#include "course/progress/progress_internal.h"

/* Events of a question in reviews belong to one presentation while less than this lies between.
 * It is shorter than a day, after which a question is asked again at the earliest. */
enum { PRESENTATION_S = 6 * 60 * 60 };

static const char *const event_names[EVENT_COUNT] = {
    [EVENT_RIGHT] = "right",   [EVENT_WRONG] = "wrong",           [EVENT_HINT] = "hint",
    [EVENT_WORKED] = "worked", [EVENT_SKIPPED] = "skipped",       [EVENT_GUESS] = "guess",
    [EVENT_CELL] = "cell",     [EVENT_REFLECTION] = "reflection",
};

const char *event_name(enum event_kind kind)
{
    return event_names[kind];
}

enum event_kind event_kind_of(const char *name)
{
    enum event_kind kind = 0;
    while (kind < EVENT_COUNT && strcmp(name, event_names[kind]) != 0)
        kind++;
    return kind;
}

/* ---- events ---- */

/* The question's events of an attempt (0: not in one) belong together, and those of one review. */
static bool find_presentation(const struct progress *progress, const struct event *event,
                              int64_t attempt, int64_t *ret, struct error *reterr)
{
    struct sql_query query = query_of(
        progress,
        "SELECT coalesce("
        " (SELECT showing FROM (SELECT showing, time_s FROM events WHERE lesson = ?1"
        "  AND question = ?2 AND play IS nullif(?3, 0) AND is_review = ?4 ORDER BY id DESC LIMIT 1)"
        "  WHERE ?3 != 0 OR abs(time_s - ?5) < ?6),"
        " (SELECT coalesce(max(id), 0) + 1 FROM events))");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    query_number(&query, attempt);
    query_number(&query, event->is_review);
    query_number(&query, event->time_s);
    query_number(&query, PRESENTATION_S);
    if (query_step(&query))
        *ret = query_column_number(&query, 0);
    return query_end(&query, reterr);
}

static bool add_event(const struct progress *progress, const struct event *event, int64_t attempt,
                      int64_t presentation, struct error *reterr)
{
    struct sql_query query = query_of(
        progress,
        "INSERT INTO events (lesson, question, kind, detail, number, took_ms, time_s,"
        " play, is_review, showing, mistake) VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?, ?, ?)");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    query_text(&query, event_name(event->kind));
    query_text(&query, event->detail);
    query_number(&query, event->number);
    query_number(&query, event->took_ms);
    query_number(&query, event->time_s);
    query_number(&query, attempt);
    query_number(&query, event->is_review);
    query_number(&query, presentation);
    query_text(&query, event->mistake != NULL ? event->mistake : "");
    return query_run(&query, reterr);
}

bool progress_event(struct progress *progress, const struct attempt *attempt,
                    const struct event *event, struct error *reterr)
{
    int64_t id = attempt != NULL && !event->is_review ? attempt->id : 0;
    if (!progress_check_name(event->lesson, reterr) ||
        !progress_check_name(event->question, reterr))
        return false;
    if (progress->file == NULL)
        return true;
    if (!sql_begin(progress, reterr))
        return false;
    int64_t presentation = 0;
    bool ok = find_presentation(progress, event, id, &presentation, reterr) &&
              review_plan(progress, event, presentation, reterr) &&
              add_event(progress, event, id, presentation, reterr) &&
              (id == 0 || attempt_touch(progress, id, event->time_s, reterr));
    return sql_end(progress, ok, reterr);
}
