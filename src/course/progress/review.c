/* Questions to review, in SQLite: see review.h. */
#include "course/progress/review.h"

#include <stdlib.h>

#include "base/array.h"
#include "course/progress/progress_internal.h"

enum { DAY_S = 24 * 60 * 60 };

/* ---- when a question is asked again ---- */

/* The presentation so far: was the question answered rightly, or missed? */
static bool read_presentation(const struct progress *progress, const struct event *event,
                              int64_t presentation, bool *ret_right, bool *ret_missed,
                              struct error *reterr)
{
    struct sql_query query =
        query_of(progress, "SELECT coalesce(max(kind = 'right'), 0),"
                           " coalesce(max(kind IN ('wrong', 'worked', 'skipped')), 0)"
                           " FROM events WHERE lesson = ? AND question = ? AND showing = ?");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    query_number(&query, presentation);
    if (query_step(&query)) {
        *ret_right = query_column_number(&query, 0) != 0;
        *ret_missed = query_column_number(&query, 1) != 0;
    }
    return query_end(&query, reterr);
}

static bool review_after_a_day(const struct progress *progress, const struct event *event,
                               struct error *reterr)
{
    struct sql_query query = query_of(progress, "INSERT OR REPLACE INTO reviews (lesson, question,"
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
    struct sql_query query =
        query_of(progress, "SELECT step + 1 FROM reviews WHERE lesson = ? AND question = ?");
    query_text(&query, event->lesson);
    query_text(&query, event->question);
    if (query_step(&query))
        step = query_column_number(&query, 0);
    if (!query_end(&query, reterr))
        return false;
    if (step <= 0) /* it is not to be reviewed */
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

bool review_plan(const struct progress *progress, const struct event *event, int64_t presentation,
                 struct error *reterr)
{
    bool misses =
        event->kind == EVENT_WRONG || event->kind == EVENT_WORKED || event->kind == EVENT_SKIPPED;
    bool right_before = false, missed_before = false;
    if (event->is_unjudged || (!misses && !(event->kind == EVENT_RIGHT && event->is_review)))
        return true;
    if (!read_presentation(progress, event, presentation, &right_before, &missed_before, reterr))
        return false;
    if (right_before)
        return true;
    return misses || missed_before ? review_after_a_day(progress, event, reterr)
                                   : put_off(progress, event, reterr);
}

/* ---- the list ---- */

bool progress_reviews(struct progress *progress, int64_t time_s, bool not_yet_due,
                      struct review **ret, size_t *ret_n, struct error *reterr)
{
    struct review *reviews = NULL;
    size_t n = 0, capacity = 0;
    if (progress->file != NULL) {
        bool fits = true;
        struct sql_query query =
            query_of(progress, "SELECT lesson, question, due_s, step FROM reviews"
                               " WHERE due_s <= ? OR ? ORDER BY due_s, lesson, question");
        query_number(&query, time_s);
        query_number(&query, not_yet_due);
        while (query_step(&query)) {
            struct review *items = array_grow(reviews, n, &capacity, sizeof *items);
            fits = items != NULL;
            if (!fits)
                break;
            reviews = items;
            struct review *review = &reviews[n++];
            *review = (struct review){.due_s = query_column_number(&query, 2),
                                      .step = (unsigned)query_column_number(&query, 3)};
            query_column_name(&query, 0, review->lesson);
            query_column_name(&query, 1, review->question);
        }
        if (!query_end(&query, reterr) ||
            !(fits || error_memory(reterr, "the questions to review"))) {
            free(reviews);
            return false;
        }
    }
    *ret = reviews;
    *ret_n = n;
    return true;
}
