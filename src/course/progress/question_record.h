/* How well the questions of a lesson are known, judged by the events at them. The rules of
 * attempt_internal.h hold. */
#ifndef ATTN_COURSE_PROGRESS_QUESTION_RECORD_H
#define ATTN_COURSE_PROGRESS_QUESTION_RECORD_H

#include "course/progress/event_internal.h"

/* How well a question is known, by one presentation of it (an attempt or a review); the later
 * ones are better. */
enum mark {
    MARK_NONE,   /* not asked, or not worked on */
    MARK_MISSED, /* answered wrongly, so far */
    MARK_TOLD,   /* skipped, or the worked answer was seen before the right one was given */
    MARK_HINTED, /* right, after a hint or a skip */
    MARK_TRIED,  /* right, after a wrong answer */
    MARK_ALONE,  /* right at once */
};
/* "at once", "after a try", "with a hint", "shown or skipped", "missed so far", "open" */
const char *mark_words(enum mark mark);

struct question_record {
    char question[PROGRESS_NAME_BYTES];
    enum mark mark;                     /* of the presentation with the latest event */
    enum mark best;                     /* of all presentations */
    unsigned n_right, n_wrong, n_hints; /* in total, attempts and reviews */
    unsigned n_told; /* how often it was skipped or its worked answer seen, in total */
    int64_t took_ms; /* in total */
    int64_t last_s;  /* the latest event at it */
};
/* Every question of the lesson that has events, in the order of their first ones. A question that
 * was only guessed at, or answered with a private text, counts as MARK_ALONE. The caller frees
 * *ret. */
bool progress_questions(struct progress *progress, const char *lesson, struct question_record **ret,
                        size_t *ret_n, struct error *reterr);

/* The state of a question in one attempt, to continue in the middle of it. */
struct question_state {
    bool right, told; /* answered (or guessed, or written); the worked answer was seen. A question
                       * that was skipped is neither: it can still be answered */
    unsigned n_wrong;
    unsigned n_hints; /* the highest hint shown */
    uint64_t cells;   /* bit i: cell i of those asked for is filled; cells above 63 are not kept */
};
bool attempt_question(struct progress *progress, const struct attempt *attempt,
                      const char *question, struct question_state *ret, struct error *reterr);

#endif
