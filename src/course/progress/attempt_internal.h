/* Attempts at lessons, in the file of progress.h, whose rules hold: a progress without a file
 * remembers nothing, and every call here succeeds and finds nothing.
 *
 * An attempt is one pass through a lesson, from its first page to its last. It keeps the learner's
 * page and the lines that made the session, so that it can go on elsewhere with the same variables.
 * When two attn are in the same attempt at once, each writes its own lines (a run); the one that
 * turned a page last decides where the attempt is.
 *
 * Lessons are named by their ids, "scaling"; questions as in the lesson. A name of a lesson, a
 * question or a page that has PROGRESS_NAME_BYTES or more is ERR_LIMIT. Times are the clock's in
 * seconds since 1970. Each call that writes is one transaction: it is done whole or not at all. */
#ifndef ATTN_COURSE_PROGRESS_ATTEMPT_INTERNAL_H
#define ATTN_COURSE_PROGRESS_ATTEMPT_INTERNAL_H

#include "base/text.h"
#include "course/progress/progress.h"

struct attempt {
    int64_t id;  /* 0: only its events are remembered; all calls succeed */
    int64_t run; /* the run that gets the lines */
};

/* A new attempt at the lesson, at its start. From then on earlier attempts are not continued,
 * except by another attn that is still in one. */
bool attempt_begin(struct progress *progress, const char *lesson, int64_t time_s,
                   struct attempt *ret, struct error *reterr);
/* Continues the lesson's last attempt (the one with the latest event): its page, "" for the start,
 * and the lines so far, each with a newline, added to lines. They are copied to a new run; an
 * attempt keeps its last 8 runs. *ret_found is false if there is no attempt, or the last one is
 * finished: then ret and page stay as they were. In a file that may not be written an attempt is
 * only read. */
bool attempt_resume(struct progress *progress, const char *lesson, int64_t time_s,
                    struct attempt *ret, char page[PROGRESS_NAME_BYTES], struct text *lines,
                    bool *ret_found, struct error *reterr);
/* The learner is at page now. lines (any number, each with a newline, or "") were run before or on
 * the page. Also ERR_FILE if the attempt was resumed elsewhere so often that this run was
 * forgotten. */
bool attempt_turn_page(struct progress *progress, const struct attempt *attempt, const char *page,
                       const char *lines, int64_t time_s, struct error *reterr);
bool attempt_finish(struct progress *progress, const struct attempt *attempt, int64_t time_s,
                    struct error *reterr);

struct lesson_record {
    bool started, finished; /* in any attempt */
    bool open;              /* there is an attempt to continue: the last one is not finished */
    int64_t last_s;         /* the latest event, in a review too; 0: never */
    int64_t took_ms;        /* in total, attempts and reviews */
};
bool progress_lesson(struct progress *progress, const char *lesson, struct lesson_record *ret,
                     struct error *reterr);
/* The page of the lesson's last attempt, "" for its start; false if no attempt goes on. Changes
 * nothing. */
bool progress_lesson_page(struct progress *progress, const char *lesson,
                          char page[PROGRESS_NAME_BYTES], struct error *reterr);
/* The lesson to continue: of those whose last attempt is not finished, the one with the latest
 * event; "" if there is no such lesson. */
bool progress_last_lesson(struct progress *progress, char lesson[PROGRESS_NAME_BYTES],
                          struct error *reterr);

#endif
