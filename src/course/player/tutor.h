/* The tutor: a session for free work, the lesson that is open, and the questions under review. The
 * line REPL and the screen hand their lines to it (course_command.h) and show its output. */
#ifndef ATTN_COURSE_PLAYER_TUTOR_H
#define ATTN_COURSE_PLAYER_TUTOR_H

#include "course/lesson/course.h"
#include "course/player/player.h"
#include "course/progress/review.h"

struct tutor {
    struct progress *progress;               /* borrowed */
    const char *data_dir;                    /* borrowed; or NULL */
    course_count_exercises *count_exercises; /* or NULL */
    player_announce *announce;               /* or NULL */
    void *announce_context;
    struct session session; /* for lines outside of lessons */
    struct player *player;  /* the open lesson or review; or NULL */
    unsigned n_opened;      /* lessons and reviews so far, to see that another one is open */
    struct course course;   /* empty until it is needed */
    struct review *reviews; /* still to be asked, from next_review on */
    size_t n_reviews, next_review;
    char warms_up_for[LESSON_NAME_BYTES]; /* the lesson that the open review comes before; or "" */
};

/* setup is that of its players, and of the session outside of lessons. Its settings may change
 * after this. */
void tutor_init(struct tutor *tutor, const struct player_setup *setup);
void tutor_release(struct tutor *tutor);

/* The session in which lines run now: the learner's in the lesson, or the one outside. */
struct session *tutor_session(struct tutor *tutor);
/* Sets the width of later output. */
void tutor_set_width(struct tutor *tutor, size_t width_cols);
/* "attn> ", or the open lesson with its page: "scaling 3/17> ". */
void tutor_prompt(const struct tutor *tutor, struct text *out);

/* Opens a lesson by any of its names, or by its file's path; NAME#STEP opens it at that step.
 * from_start: at its start, not where it stopped. A lesson chosen by name begins without a
 * warm-up. */
bool tutor_open(struct tutor *tutor, const char *name, bool from_start, struct doc *out,
                struct error *reterr);
/* Opens the lesson to continue: the last one that was begun, else the first that is not finished.
 * Before a lesson that was never begun comes its warm-up (warm_up_internal.h), unless from_start is
 * set; tutor_next() leads on to the lesson, and so does tutor_skip(), which remembers nothing in
 * that case. */
bool tutor_open_current(struct tutor *tutor, bool from_start, struct doc *out,
                        struct error *reterr);
/* In an open lesson or review: opens its next page, or the next review; after the last page the
 * next lesson, as tutor_open_current() does. */
bool tutor_next(struct tutor *tutor, struct doc *out, struct error *reterr);
/* The same without an answer. */
bool tutor_skip(struct tutor *tutor, struct doc *out, struct error *reterr);
void tutor_close_lesson(struct tutor *tutor);
/* Asks the questions again that are due; with all, also those that are not due yet. */
bool tutor_review(struct tutor *tutor, bool all, struct doc *out, struct error *reterr);
/* Adds the list of lessons; lessons done and weak questions. */
bool tutor_lessons(struct tutor *tutor, struct doc *out, struct error *reterr);
bool tutor_progress(struct tutor *tutor, struct doc *out, struct error *reterr);

#endif
