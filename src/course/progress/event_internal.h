/* The events at the questions of lessons: answers, hints, skips. The rules of attempt_internal.h
 * hold. */
#ifndef ATTN_COURSE_PROGRESS_EVENT_INTERNAL_H
#define ATTN_COURSE_PROGRESS_EVENT_INTERNAL_H

#include "course/progress/attempt_internal.h"

enum event_kind {
    EVENT_RIGHT,
    EVENT_WRONG,  /* detail: the answer as typed; number: which foreseen wrong answer it was, from
                   * 1, or 0 */
    EVENT_HINT,   /* number: which, from 1 */
    EVENT_WORKED, /* saw the worked answer */
    EVENT_SKIPPED,
    EVENT_GUESS,      /* detail: a prediction */
    EVENT_REFLECTION, /* detail: the text */
    EVENT_CELL, /* a cell of a matrix filled rightly; number: its place among the cells asked for,
                 * from 0 */
    EVENT_COUNT
};
const char *event_name(enum event_kind kind); /* "right", "wrong", ... */

struct event {
    const char *lesson, *question;
    enum event_kind kind;
    const char *detail; /* or "" */
    const char
        *mistake; /* of a wrong answer: id of the edit that explains it, or "ID|ID"; or NULL */
    unsigned number;
    int64_t took_ms; /* since the question, or the last reply to it, was shown */
    int64_t time_s;
    bool is_unjudged; /* a guess, a text or an exercise, which review does not ask again */
    bool is_review;   /* asked by review, not in an attempt */
};

/* Remembers the event and updates the questions to review: a question that was answered wrongly,
 * skipped, or whose worked answer was seen comes back after a day. In a review, a right answer
 * without any of these before it since the question was last shown puts it off by 3, 7, 16 and 35
 * days, then it counts as learned; with one of these it begins at a day again. A hint changes
 * nothing here.
 *
 * The events of a question belong to presentations: one for each attempt, with all its runs; in
 * reviews, one for the events with less than 6 hours between them. Events after the right answer in
 * a presentation, such as a look at the worked answer, change neither the reviews nor the mark.
 * attempt may be NULL in a review. */
bool progress_event(struct progress *progress, const struct attempt *attempt,
                    const struct event *event, struct error *reterr);

#endif
